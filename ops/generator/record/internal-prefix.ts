/** The operator-internal prefix of identifier systems and extension URLs (docs/service.md S7.3, S7.4). */
export const internalPrefix = 'https://memberdata.example/fhir';
