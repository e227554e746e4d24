/** Parameters of an export of a group, with texts for the documentation. */

/** Value of `exportType` for the Payer-to-Payer exchange, the only one that is offered. */
export const payerToPayer = 'hl7.fhir.us.davinci-pdex#payertopayer';

export const exportParameterTexts = {
  exportType: `${payerToPayer}; required by $davinci-data-export.`,
  patient: 'Reference to a Patient of the group; may be repeated.',
  _since: 'Resources that changed at this instant or later.',
  _until: 'Resources that changed at this instant or earlier.',
  _type: 'Resource types, separated by commas.',
  _typeFilter:
    'Search of a type, such as Encounter?date=ge2025-01-01, with its search parameters; may be repeated. A resource is exported if it matches one filter of its type.',
  _outputFormat: 'application/fhir+ndjson',
} as const;

export type ExportParameter = keyof typeof exportParameterTexts;
