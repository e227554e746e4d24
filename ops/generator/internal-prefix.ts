/** The operator-internal prefix of identifier systems and extension URLs (service description, Patient resource). */
export const internalPrefix = 'https://memberdata.example/fhir';
