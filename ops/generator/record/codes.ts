/**
 * The code systems of the synthetic claims. Codes come from lists that anyone may use (ICD-10-CM, ICD-10-PCS, HCPCS Level II, MS-DRG, NDC,
 * place of service), or appear without display if a profile binds a licensed list (CDT, NUBC, X12, NCPDP, NUCC). No licensed descriptor is
 * used: every `text` is worded by this project.
 */
export const systems = {
  adjudication: 'http://terminology.hl7.org/CodeSystem/adjudication',
  carinAdjudication: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBAdjudication',
  discriminator: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBAdjudicationDiscriminator',
  payerStatus: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBPayerAdjudicationStatus',
  carinCareTeamRole: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBClaimCareTeamRole',
  careTeamRole: 'http://terminology.hl7.org/CodeSystem/claimcareteamrole',
  carinDiagnosisType: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBClaimDiagnosisType',
  diagnosisType: 'http://terminology.hl7.org/CodeSystem/ex-diagnosistype',
  procedureType: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBClaimProcedureType',
  carinIdentifierType: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBIdentifierType',
  institutionalSubType: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBInstitutionalClaimSubType',
  relatedClaim: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBRelatedClaimRelationshipCodes',
  priorClaim: 'http://terminology.hl7.org/CodeSystem/ex-relatedclaimrelationship',
  supportingInfo: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBSupportingInfoType',
  toothSurface: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBSurfaceCodes',
  claimType: 'http://terminology.hl7.org/CodeSystem/claim-type',
  coverageClass: 'http://terminology.hl7.org/CodeSystem/coverage-class',
  coverageType: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
  subscriberRelationship: 'http://terminology.hl7.org/CodeSystem/subscriber-relationship',
  role: 'http://terminology.hl7.org/CodeSystem/v3-RoleCode',
  organizationType: 'http://terminology.hl7.org/CodeSystem/organization-type',
  identifierType: 'http://terminology.hl7.org/CodeSystem/v2-0203',
  payeeType: 'http://terminology.hl7.org/CodeSystem/payeetype',
  absent: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
  priorAuthorizationDiscriminator:
    'http://hl7.org/fhir/us/davinci-pdex/CodeSystem/PDexAdjudicationDiscriminator',
  priorAuthorizationInfo: 'http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASSupportingInfoType',
  priorAuthorizationValue: 'http://hl7.org/fhir/us/davinci-pdex/CodeSystem/PriorAuthorizationValueCodes',
  levelOfService: 'https://codesystem.x12.org/005010/1338',
  processPriority: 'http://terminology.hl7.org/CodeSystem/processpriority',
  reviewDecision: 'https://codesystem.x12.org/005010/306',
  serviceType: 'https://x12.org/codes/service-type-codes',
  icd10cm: 'http://hl7.org/fhir/sid/icd-10-cm',
  icd10pcs: 'http://www.cms.gov/Medicare/Coding/ICD10',
  hcpcs: 'https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
  /** HCPCS by the system URL that the Da Vinci PAS guide uses. */
  hcpcsOfRequests: 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
  drg: 'https://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/AcuteInpatientPPS/MS-DRG-Classifications-and-Software',
  placeOfService: 'https://www.cms.gov/Medicare/Coding/place-of-service-codes/Place_of_Service_Code_Set',
  ndc: 'http://hl7.org/fhir/sid/ndc',
  npi: 'http://hl7.org/fhir/sid/us-npi',
  ein: 'urn:oid:2.16.840.1.113883.4.4',
  naic: 'urn:oid:2.16.840.1.113883.6.300',
  cdt: 'http://www.ada.org/cdt',
  tooth: 'http://terminology.hl7.org/CodeSystem/ADAUniversalToothDesignationSystem',
  typeOfBill: 'https://www.nubc.org/CodeSystem/TypeOfBill',
  pointOfOrigin: 'https://www.nubc.org/CodeSystem/PointOfOrigin',
  admissionType: 'https://www.nubc.org/CodeSystem/PriorityTypeOfAdmitOrVisit',
  dischargeStatus: 'https://www.nubc.org/CodeSystem/PatDischargeStatus',
  revenue: 'https://www.nubc.org/CodeSystem/RevenueCodes',
  presentOnAdmission: 'https://www.nubc.org/CodeSystem/PresentOnAdmissionIndicator',
  adjustmentReason: 'https://x12.org/codes/claim-adjustment-reason-codes',
  dispensedAsWritten: 'http://terminology.hl7.org/CodeSystem/NCPDPDispensedAsWrittenOrProductSelectionCode',
  brandGeneric: 'http://terminology.hl7.org/CodeSystem/NCPDPBrandGenericIndicator',
  prescriptionOrigin: 'http://terminology.hl7.org/CodeSystem/NCPDPPrescriptionOriginCode',
  compound: 'http://terminology.hl7.org/CodeSystem/NCPDPCompoundCode',
  ambulanceReason: 'https://x12.org/codesystem.x12.org/ambulance-transport-reason-codes',
  rejectReason: 'http://terminology.hl7.org/CodeSystem/NCPDPRejectCode',
  taxonomy: 'http://nucc.org/provider-taxonomy',
} as const;

export interface CodeableConcept {
  readonly coding: readonly { readonly system: string; readonly code: string }[];
  readonly text?: string;
}

/** A CodeableConcept with one code, and a `text` worded by this project. */
export function concept(system: keyof typeof systems, code: string, text?: string): CodeableConcept {
  return { coding: [{ system: systems[system], code }], ...(text === undefined ? {} : { text }) };
}
