/** An element that is withheld for privacy, with the reason (FHIR Extensions, data-absent-reason). */
export const masked = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
} as const;
