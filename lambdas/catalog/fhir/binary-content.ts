/**
 * Content types of a Binary that is sent as bytes. API Gateway decodes a function's base64 body if the first type in `Accept` is in its
 * list of binary types, which is this one.
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

/** Whether content of a type is text, which is sent without base64. */
export function isTextContent(contentType: string): boolean {
  return /^text\/|[/+](xml|json)$/.test(contentType);
}
