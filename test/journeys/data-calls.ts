import { request } from 'node:http';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { App } from './app-calls.ts';
import { originsOf } from './journey.ts';

/** Calls of an application for a member's data. They wait and repeat after 429, and return each response undecoded. */

export interface DataAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Entry {
  readonly fullUrl?: string;
  readonly resource: { readonly resourceType: string; readonly id: string };
  readonly search: { readonly mode: string };
}
export interface Page {
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly Entry[];
}

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
interface Options {
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>> | string;
}

export function baseOf(lob: LineOfBusiness): string {
  return fhirBase(originsOf('sandbox'), lob, 'patient-access');
}

/** Makes an application's calls with a token: to a path below the FHIR base, or to an absolute URL. */
export function createDataCalls(app: App, lob: LineOfBusiness, token: () => string) {
  const call = async (
    path: string,
    { method = 'GET', headers = {}, form }: Options = {},
  ): Promise<DataAnswer> => {
    const url = path.startsWith('http') ? path : `${baseOf(lob)}${path}`;
    const body =
      form === undefined ? undefined : new URLSearchParams(form as Record<string, string>).toString();
    const sent = {
      authorization: `Bearer ${token()}`,
      'x-api-subscription-key': app.subscriptionKey,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    };
    const answer = await send(url, method, sent, body);
    const wait = Number(answer.header('retry-after') ?? 0);
    if (answer.status !== 429 || wait > 5) return answer;
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    return await call(path, { method, headers, ...(form !== undefined && { form }) });
  };
  const page = async (path: string, options?: Options): Promise<Page> => {
    const answer = await call(path, options);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Page;
  };
  /** All pages of a search. */
  const pages = async (path: string, options?: Options): Promise<readonly Page[]> => {
    const all = [await page(path, options)];
    for (let next = nextOf(all[0]); next !== undefined; next = nextOf(all.at(-1)))
      all.push(await page(next, options));
    return all;
  };
  return { call, page, pages };
}

export function nextOf(page: Page | undefined): string | undefined {
  return page?.link.find(({ relation }) => relation === 'next')?.url;
}

/** The resources of a page as `Type/id`, of one search mode. */
export function namesOn({ entry = [] }: Page, mode: 'match' | 'include' = 'match'): readonly string[] {
  return entry
    .filter(({ search }) => search.mode === mode)
    .map(({ resource }) => `${resource.resourceType}/${resource.id}`);
}

/** Sends a request and returns the response without decompressing it. `*.localhost` is resolved to this machine. */
async function send(
  address: string,
  method: Method,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<DataAnswer> {
  const url = new URL(address);
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: url.port,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, host: url.host },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: incoming.statusCode ?? 0,
            header: (name) => incoming.headers[name]?.toString(),
            bytes,
            text: bytes.toString('utf8'),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
