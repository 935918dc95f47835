/* The definitions of an archive that are copied as they are, each with the types of its values: all but the clock and
 * the locations, which change, and call sites, which are deprecated. Dn(name, types...) stands for a definition with n
 * values. */
#ifndef ORDO_TRACE_OTF2_COPIED_H
#define ORDO_TRACE_OTF2_COPIED_H

/* clang-format off */
#define ORDO_OTF2_COPIED(D2, D3, D4, D5, D6, D7, D9, D10) \
    D3(Paradigm, OTF2_Paradigm, OTF2_StringRef, OTF2_ParadigmClass) \
    D4(ParadigmProperty, OTF2_Paradigm, OTF2_ParadigmProperty, OTF2_Type, OTF2_AttributeValue) \
    D9(IoParadigm, OTF2_IoParadigmRef, OTF2_StringRef, OTF2_StringRef, OTF2_IoParadigmClass, \
        OTF2_IoParadigmFlag, uint8_t, const OTF2_IoParadigmProperty *, const OTF2_Type *, const OTF2_AttributeValue *) \
    D2(String, OTF2_StringRef, const char *) \
    D4(Attribute, OTF2_AttributeRef, OTF2_StringRef, OTF2_StringRef, OTF2_Type) \
    D4(SystemTreeNode, OTF2_SystemTreeNodeRef, OTF2_StringRef, OTF2_StringRef, OTF2_SystemTreeNodeRef) \
    D5(LocationGroup, OTF2_LocationGroupRef, OTF2_StringRef, OTF2_LocationGroupType, OTF2_SystemTreeNodeRef, \
        OTF2_LocationGroupRef) \
    D10(Region, OTF2_RegionRef, OTF2_StringRef, OTF2_StringRef, OTF2_StringRef, OTF2_RegionRole, \
        OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, uint32_t, uint32_t) \
    D3(Callpath, OTF2_CallpathRef, OTF2_CallpathRef, OTF2_RegionRef) \
    D7(Group, OTF2_GroupRef, OTF2_StringRef, OTF2_GroupType, OTF2_Paradigm, OTF2_GroupFlag, uint32_t, \
        const uint64_t *) \
    D9(MetricMember, OTF2_MetricMemberRef, OTF2_StringRef, OTF2_StringRef, OTF2_MetricType, OTF2_MetricMode, \
        OTF2_Type, OTF2_Base, int64_t, OTF2_StringRef) \
    D5(MetricClass, OTF2_MetricRef, uint8_t, const OTF2_MetricMemberRef *, OTF2_MetricOccurrence, OTF2_RecorderKind) \
    D5(MetricInstance, OTF2_MetricRef, OTF2_MetricRef, OTF2_LocationRef, OTF2_MetricScope, uint64_t) \
    D5(Comm, OTF2_CommRef, OTF2_StringRef, OTF2_GroupRef, OTF2_CommRef, OTF2_CommFlag) \
    D3(Parameter, OTF2_ParameterRef, OTF2_StringRef, OTF2_ParameterType) \
    D4(RmaWin, OTF2_RmaWinRef, OTF2_StringRef, OTF2_CommRef, OTF2_RmaWinFlag) \
    D2(MetricClassRecorder, OTF2_MetricRef, OTF2_LocationRef) \
    D4(SystemTreeNodeProperty, OTF2_SystemTreeNodeRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue) \
    D2(SystemTreeNodeDomain, OTF2_SystemTreeNodeRef, OTF2_SystemTreeDomain) \
    D4(LocationGroupProperty, OTF2_LocationGroupRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue) \
    D4(LocationProperty, OTF2_LocationRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue) \
    D4(CartDimension, OTF2_CartDimensionRef, OTF2_StringRef, uint32_t, OTF2_CartPeriodicity) \
    D5(CartTopology, OTF2_CartTopologyRef, OTF2_StringRef, OTF2_CommRef, uint8_t, const OTF2_CartDimensionRef *) \
    D4(CartCoordinate, OTF2_CartTopologyRef, uint32_t, uint8_t, const uint32_t *) \
    D3(SourceCodeLocation, OTF2_SourceCodeLocationRef, OTF2_StringRef, uint32_t) \
    D4(CallingContext, OTF2_CallingContextRef, OTF2_RegionRef, OTF2_SourceCodeLocationRef, OTF2_CallingContextRef) \
    D4(CallingContextProperty, OTF2_CallingContextRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue) \
    D6(InterruptGenerator, OTF2_InterruptGeneratorRef, OTF2_StringRef, OTF2_InterruptGeneratorMode, \
        OTF2_Base, int64_t, uint64_t) \
    D4(IoFileProperty, OTF2_IoFileRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue) \
    D3(IoRegularFile, OTF2_IoFileRef, OTF2_StringRef, OTF2_SystemTreeNodeRef) \
    D3(IoDirectory, OTF2_IoFileRef, OTF2_StringRef, OTF2_SystemTreeNodeRef) \
    D7(IoHandle, OTF2_IoHandleRef, OTF2_StringRef, OTF2_IoFileRef, OTF2_IoParadigmRef, OTF2_IoHandleFlag, \
        OTF2_CommRef, OTF2_IoHandleRef) \
    D3(IoPreCreatedHandleState, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoStatusFlag) \
    D4(CallpathParameter, OTF2_CallpathRef, OTF2_ParameterRef, OTF2_Type, OTF2_AttributeValue) \
    D6(InterComm, OTF2_CommRef, OTF2_StringRef, OTF2_GroupRef, OTF2_GroupRef, OTF2_CommRef, OTF2_CommFlag)
/* clang-format on */

#endif
