import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GatewayAnswer } from './gateway-responses.ts';

const compress = promisify(gzip);

/**
 * Compresses a body of the API's minimum size or more where the client takes gzip and the function didn't encode it
 * itself ("Payload compression for REST APIs").
 */
export async function compressed(
  answer: GatewayAnswer,
  acceptEncoding: string | undefined,
  minimumBytes: number | undefined,
): Promise<GatewayAnswer> {
  if (minimumBytes === undefined || answer.body.length < Math.max(1, minimumBytes)) return answer;
  if (!takesGzip(acceptEncoding ?? '')) return answer;
  if (answer.headers.some(([name]) => name.toLowerCase() === 'content-encoding')) return answer;
  const body = await compress(answer.body);
  return { ...answer, headers: [...answer.headers, ['Content-Encoding', 'gzip']], body };
}

/** RFC 9110 section 12.5.3: a quality of 0 means "not acceptable". */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    return (name === 'gzip' || name === '*') && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
}
