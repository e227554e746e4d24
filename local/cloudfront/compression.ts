import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Forwarding } from './forwarding.ts';
import type { PlainAnswer } from './viewer-event.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** "Serve compressed files": sizes between these, in bytes. */
const smallest = 1_000;
const largest = 10_000_000;

/** File types CloudFront compresses, as far as this service has any. Source: "Serve compressed files". */
const compressible =
  /^(application\/(javascript|json|manifest\+json|wasm|xhtml\+xml|xml|rss\+xml|x-javascript|vnd\.api\+json)|font\/(otf|ttf|opentype|eot)|image\/(svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)|text\/(css|csv|html|javascript|js|plain|richtext|tab-separated-values|xml|x-script|x-component|x-java-source))$/;

/** A file's compressed forms: files stay the same buffers for as long as the system runs. */
const remembered = new WeakMap<Buffer, Map<string, Buffer>>();

/**
 * Compresses a file or an error page where the viewer takes it and the origin did not do it itself. A strong entity tag
 * becomes a weak one.
 */
export async function compressForViewer(
  answer: PlainAnswer,
  acceptEncoding: string,
  { gzip: allowsGzip, brotli: allowsBrotli }: Forwarding,
): Promise<PlainAnswer> {
  const of = (wanted: string) => answer.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const type = (of('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const { length } = answer.body;
  if (length < smallest || length > largest || !compressible.test(type)) return answer;
  if (of('content-encoding') !== undefined || ![200, 403, 404].includes(answer.statusCode)) return answer;
  const coding =
    allowsBrotli && takes(acceptEncoding, 'br')
      ? 'br'
      : allowsGzip && takes(acceptEncoding, 'gzip')
        ? 'gzip'
        : undefined;
  if (coding === undefined) return answer;
  const headers = answer.headers.map(([name, value]) =>
    name.toLowerCase() === 'etag' && value.startsWith('"')
      ? ([name, `W/${value}`] as const)
      : ([name, value] as const),
  );
  return {
    ...answer,
    headers: [...headers, ['Content-Encoding', coding], ['Vary', 'Accept-Encoding']],
    body: await encode(answer.body, coding),
  };
}

async function encode(body: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  const forms = remembered.get(body) ?? new Map<string, Buffer>();
  remembered.set(body, forms);
  const known = forms.get(coding);
  if (known !== undefined) return known;
  const made =
    coding === 'gzip'
      ? await compressGzip(body)
      : await compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  forms.set(coding, made);
  return made;
}

/** RFC 9110 section 12.5.3: a quality of 0 means "not acceptable". */
function takes(acceptEncoding: string, coding: string): boolean {
  return acceptEncoding.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return (name === coding || name === '*') && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}
