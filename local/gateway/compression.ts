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
 * Compresses a response body of at least the API's minimum size, if the client prefers a supported coding to all others, and the function
 * didn't encode the body itself ("Payload compression for REST APIs": if the client's preferred coding is unknown to API Gateway, such as
 * `br`, or is `*`, there is no compression).
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

/** The coding with the highest quality, the first of several (RFC 9110 section 12.5.3), if API Gateway supports it. */
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
 * Decompresses a request body of at least the API's minimum size for the integration. An unsupported coding, or a body that doesn't match
 * its coding, gives 415.
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
