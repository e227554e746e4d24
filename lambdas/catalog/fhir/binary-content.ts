/**
 * Content types that a Binary is sent as in bytes. API Gateway decodes what a function answers in base64 for those of its list, if
 * `Accept` names one first.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
 */
export const bytesContentTypes = [
  'application/pdf',
  'application/rtf',
  'application/zip',
  'application/dicom',
  'application/octet-stream',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
] as const;

/** Whether content of a type is text, which needs no base64 on its way. */
export function isTextContent(contentType: string): boolean {
  return /^text\/|[/+](xml|json)$/.test(contentType);
}
