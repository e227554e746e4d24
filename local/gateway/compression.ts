/** Local API Gateway: decompresses request bodies and compresses response bodies (Content-Encoding). */

import { promisify } from 'node:util';
import { deflate, gunzip, gzip, inflate } from 'node:zlib';
import type { GatewayAnswer } from './gateway-responses.ts';
import { payloadLimitBytes } from './limits.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import { type GatewayRequest, headerOf } from './request.ts';

const compress = { gzip: promisify(gzip), deflate: promisify(deflate) } as const;
const decompress = { gzip: promisify(gunzip), deflate: promisify(inflate) } as const;

type Coding = keyof typeof compress;

/**
 * Compresses a body of the API's minimum size or more where the client asks for it first of all, and the function didn't
 * encode it itself ("Payload compression for REST APIs": a highest-priority coding that API Gateway doesn't know, such as
 * `br`, gets no compression, nor does `*`).
 */
export async function compressResponse(
  answer: GatewayAnswer,
  acceptEncoding: string | undefined,
  minimumBytes: number | undefined,
): Promise<GatewayAnswer> {
  if (minimumBytes === undefined || answer.body.length < Math.max(1, minimumBytes)) return answer;
  const coding = preferredCoding(acceptEncoding ?? '');
  if (coding === undefined) return answer;
  if (answer.headers.some(([name]) => name.toLowerCase() === 'content-encoding')) return answer;
  const body = await compress[coding](answer.body);
  return { ...answer, headers: [...answer.headers, ['Content-Encoding', coding]], body };
}

/** The coding of the highest quality, the first of several (RFC 9110 section 12.5.3), where API Gateway knows it. */
function preferredCoding(acceptEncoding: string): Coding | undefined {
  const codings = acceptEncoding.split(',').map((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='))?.slice('q='.length);
    return { name, quality: quality === undefined ? 1 : Number(quality) };
  });
  const [first] = codings.toSorted((left, right) => right.quality - left.quality);
  return first !== undefined && first.quality > 0 && isKnown(first.name) ? first.name : undefined;
}

/**
 * The request as an integration sees it: a compressed body is decompressed, from the API's minimum size on. A coding API
 * Gateway doesn't know, and a body that isn't of its coding, are 415.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-make-request-with-compressed-payload.html
 */
export async function decompressRequest(
  request: GatewayRequest,
  minimumBytes = 0,
): Promise<GatewayRequest | GatewayRefusal> {
  const coding = headerOf(request, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return request;
  if (!isKnown(coding)) return gatewayRefusal('UNSUPPORTED_MEDIA_TYPE');
  if (request.body.length < Math.max(1, minimumBytes)) return request;
  try {
    const body = await decompress[coding](request.body, { maxOutputLength: payloadLimitBytes });
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
    return { ...request, headers, body };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return gatewayRefusal(tooLarge ? 'REQUEST_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE');
  }
}

function isKnown(coding: string): coding is Coding {
  return Object.hasOwn(compress, coding);
}
