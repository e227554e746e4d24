const internal = 'https://memberdata.example/fhir';

/** A Patient of typical size, as in the example of the service description. */
export const samplePatient = {
  resourceType: 'Patient',
  id: '3f6c1a52-9d1b-4c55-8a77-3a0c5f9be001',
  meta: {
    versionId: '1',
    lastUpdated: '2026-03-02T10:15:30.123-05:00',
    profile: [
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient',
      'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Patient|1.1.0',
    ],
  },
  extension: ['last_updated_date', 'row_id', 'source_id'].map((name, index) => ({
    url: `${internal}/StructureDefinition/${name}`,
    valueId: index === 0 ? '2026-03-02' : `row-${index}`,
  })),
  identifier: [
    {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
      system: `${internal}/identifier/MEMBER_LIFE_ID`,
      value: 'DSNP0000001',
    },
    { system: `${internal}/identifier/lob`, value: 'DSNP' },
    { system: `${internal}/identifier/group`, value: 'G1001' },
    { system: `${internal}/identifier/plan`, value: 'P201' },
  ],
  name: [{ family: 'Sample', given: ['Bench', 'Q'] }],
  gender: 'female',
  birthDate: '1956-04-03',
  address: [
    {
      city: 'Baltimore',
      state: 'MD',
      postalCode: '21201',
      period: { start: '2020-01-01', end: '9999-12-31' },
    },
    {
      city: 'Annapolis',
      state: 'MD',
      postalCode: '21401',
      period: { start: '2010-01-01', end: '2019-12-31' },
    },
  ],
};
