/** Serves the content of a Binary in its own content type. */

import { bytesContentTypes, isTextContent } from '../../catalog/fhir/binary-content.ts';
import { namedQuality } from '../query/media-type.ts';

/** A document in its own content type, for a client that asks for that type (R4, binary.html#rest). */
export interface RawContent {
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/**
 * The content of a Binary, if `Accept` prefers its content type to FHIR's.
 *
 * @param json the serialized Binary.
 * @returns undefined if the resource itself, or nothing, is acceptable.
 */
export function rawContent(json: string, accept: string | undefined): RawContent | undefined {
  const { contentType = '', data } = JSON.parse(json) as {
    readonly contentType?: string;
    readonly data?: string;
  };
  const plain = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (data === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(plain)) return undefined;
  const asked = namedQuality(accept, plain);
  if (!(asked > namedQuality(accept, 'application/fhir+json', 'application/json'))) return undefined;
  if (isTextContent(plain)) {
    const body = utf8(Buffer.from(data, 'base64'));
    return body === undefined
      ? undefined
      : { contentType: `${plain}; charset=utf-8`, body, isBase64Encoded: false };
  }
  const first = (accept ?? '').split(/[,;]/, 1)[0]?.trim().toLowerCase();
  const isSent = first === plain && bytesContentTypes.some((each) => each === plain);
  return isSent ? { contentType: plain, body: data, isBase64Encoded: true } : undefined;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
