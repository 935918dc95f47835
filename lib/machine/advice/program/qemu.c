/* QEMU and libvirt: the setting that decides whether a guest sees an invariant TSC. QEMU hides it by default, because a
 * guest that has it cannot be migrated to a host whose TSC has another rate (libvirt domain XML, <cpu>; QEMU, CPU
 * models). */
#include <string.h>

#include "machine/advice/advice.h"

#define REQUIRE "<feature policy='require' name='invtsc'/>"

static bool on_kvm(const struct ordo_evidence *evidence)
{
    return evidence->hypervisor && strncmp(evidence->hypervisor_name, "KVMKVMKVM", 9) == 0;
}

static void advise_qemu(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    if (evidence->arch != ORDO_ARCH_X86_64)
        ordo_setting_put(setting, "none", "guests read the architecture's counter as it is");
    else if (on_kvm(evidence) && situation->verdict.trust == ORDO_TRUST_INCAPABLE)
        ordo_setting_put(setting, REQUIRE,
                         "on the host, in <cpu mode='host-passthrough' migratable='off'>: QEMU hides the bit from this "
                         "guest; -cpu host,migratable=off,+invtsc");
    else if (!evidence->hypervisor && situation->verdict.trust == ORDO_TRUST_VOUCHED)
        ordo_setting_put(setting, REQUIRE,
                         "for guests of this host, in <cpu mode='host-passthrough' migratable='off'>; Windows: "
                         "<timer name='hypervclock' present='yes'/>");
    else
        ordo_setting_put(setting, "none", "%s",
                         on_kvm(evidence)       ? "this guest sees what its host promises of the counter"
                         : evidence->hypervisor ? "QEMU does not run this machine"
                                                : "leave its guests on kvm-clock, without invtsc");
}

const struct ordo_advised ordo_advised_qemu = {"qemu", "QEMU and libvirt, domain XML", advise_qemu};
