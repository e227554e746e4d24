import type { AwsError } from './aws-error.ts';

/** Formats the response of a query-protocol operation. Lists become `<member>` elements. */
export function answerXml(operation: string, output: unknown, namespace: string, requestId: string): string {
  return (
    `<${operation}Response xmlns="${namespace}"><${operation}Result>${element(output ?? {})}</${operation}Result>` +
    `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${operation}Response>`
  );
}

export function errorXml(error: AwsError, namespace: string, requestId: string): string {
  const type = error.status < 500 ? 'Sender' : 'Receiver';
  const content = element({ Type: type, Code: error.code, Message: error.message });
  return `<ErrorResponse xmlns="${namespace}"><Error>${content}</Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
}

function element(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<member>${element(item)}</member>`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => `<${name}>${element(member)}</${name}>`)
      .join('');
  }
  return escapeXml(String(value));
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
