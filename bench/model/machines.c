#include "model/machines.h"

#include <string.h>

/* Values published by others, measured with nviennot/core-to-core-latency or KCORES/core-to-core-latency-plus
 * (github.com). The publications have a time for each pair of CPUs; the table has the median and the largest. */
static const struct model_machine machines[] = {
    {"2x-epyc-9754", 512, 202.5, 216.0, "KCORES: Dual AMD EPYC 9754 128-Core Processor by-fwyzard"},
    {"2x-epyc-7763", 256, 289.5, 337.3, "KCORES: Dual AMD EPYC 7763 64-Core Processor by-fwyzard"},
    {"2x-epyc-7742", 256, 260.6, 290.4, "nviennot: Dual AMD EPYC 7742 64-Core Processor"},
    {"2x-epyc-7r13", 192, 194.6, 208.5, "nviennot: AMD EPYC 7R13 48-Core Processor"},
    {"2x-epyc-9454", 192, 196.8, 207.1, "KCORES: Dual AMD EPYC 9454 48-Core Processor by-fwyzard"},
    {"2x-epyc-9654", 192, 184.6, 200.9, "KCORES: Dual AMD EPYC 9654 96-Core Processor by-leavelet"},
    {"2x-power9", 128, 683.3, 883.3, "KCORES: Dual IBM Power9 8335-GTH 16-core 2.7GHz by-herver"},
    {"2x-epyc-7601", 128, 354.9, 430.0, "KCORES: Dual AMD EPYC 7601 32-Core Processor by-jstzwj"},
    {"2x-epyc-7702", 128, 228.9, 251.4, "KCORES: Dual AMD EPYC 7702 64-Core Processor by-herver"},
    {"epyc-7773x", 128, 114.9, 140.0, "nviennot: AMD EPYC 7773X"},
    {"2x-xeon-8360y", 128, 56.8, 119.8, "KCORES: Dual Intel Xeon Platinum 8360Y 2.40GHz by-herver"},
    {"epyc-9754", 128, 109.4, 119.6, "KCORES: AMD EPYC 9754 128-Core Processor by-Entropy-Enthalpy"},
    {"2x-xeon-8375c", 128, 98.7, 116.8, "nviennot: Intel Xeon Platinum 8375C CPU @ 2.90GHz"},
    {"2x-xeon-8275cl", 96, 128.7, 139.7, "nviennot: Intel Xeon Platinum 8275CL CPU @ 3.00GHz"},
    {"2x-xeon-6336y", 96, 99.8, 114.2, "KCORES: Dual Intel Xeon Gold 6336Y 2.40GHz by-herver"},
    {"2x-altra-q80", 80, 156.3, 210.7, "KCORES: Dual Ampere Altra Processor Q80-30 CPU 3.0GHz by-zeroping"},
    {"2x-xeon-e5-2695v4", 72, 107.2, 126.9, "nviennot: Intel Xeon CPU E5-2695 v4 @ 2.10GHz"},
    {"2x-epyc-7302", 64, 227.3, 249.2, "KCORES: Dual AMD EPYC 7302 16-Core Processor by-herver"},
    {"2x-xeon-e5-2698v3", 64, 119.7, 224.0, "KCORES: Dual Intel Xeon E5-2698v3 2.3GHz by-MaxKingPor"},
    {"2x-xeon-6242", 64, 135.2, 146.2, "nviennot: Dual Intel Xeon Gold 6242 @ 2.8GHz"},
    {"2x-xeon-8358", 64, 98.9, 124.8, "KCORES: Dual Intel Xeon Platinum 8358 CPU 2.60GHz by-leavelet"},
    {"xeon-phi-7210", 64, 91.0, 112.5, "nviennot: Intel Xeon Phi CPU 7210 @ 1.30GHz"},
    {"threadripper-3990x", 64, 102.9, 112.4, "KCORES: AMD Ryzen Threadripper 3990X 64-Core Processor by-shisoft"},
    {"2x-kunpeng-920", 64, 71.8, 87.7, "nviennot: HiSilicon Kunpeng 920-6426 @ 2.6GHz"},
    {"graviton2", 64, 47.2, 58.4, "nviennot: AWS Graviton2"},
    {"graviton3", 64, 46.4, 56.8, "nviennot: AWS Graviton3"},
};

const struct model_machine *model_machine_at(size_t index)
{
    return index < sizeof machines / sizeof *machines ? &machines[index] : NULL;
}

const struct model_machine *model_machine_find(const char *name)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strcmp(machines[i].name, name) == 0)
            return &machines[i];
    return NULL;
}
