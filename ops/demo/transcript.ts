/** Prints the demo's requests and responses, with secrets masked. */

import { type Http, type HttpRequest, type HttpResponse, headerText } from '../http/client.ts';
import { readPage } from '../http/html-page.ts';
import { bundleLines } from './bundle-lines.ts';
import type { Mask } from './mask.ts';

/** Prints requests and responses with secrets masked. */
export interface Transcript {
  readonly mask: Mask;
  heading(text: string): void;
  note(text: string): void;
  /** Sends a request, prints request and response, and returns the response. */
  readonly http: Http;
}

/** Response headers that are printed. */
const shownHeaders = [
  'content-type',
  'location',
  'www-authenticate',
  'cache-control',
  'etag',
  'deprecation',
  'link',
];
/** Most printed lines of a document. The checks read the whole document. */
const mostLines = 100;

export function createTranscript(http: Http, mask: Mask, write: (line: string) => void): Transcript {
  const print = (text: string) => {
    for (const line of mask.hide(text).split('\n')) write(line);
  };
  return {
    mask,
    heading: (text) => print(`\n== ${text}`),
    note: (text) => print(`   ${text}`),
    async http(request) {
      learn(mask, request);
      print(requestText(request));
      const response = await http(request);
      for (const cookie of response.headers['set-cookie'] ?? [])
        mask.add(cookie.split(';')[0]?.split('=')[1]);
      print(responseText(response));
      return response;
    },
  };
}

/** Adds the secrets of a request to the mask, for everything printed after it. */
function learn(mask: Mask, { headers = {} }: HttpRequest): void {
  mask.add(headers['x-api-subscription-key'], headers.authorization?.replace(/^(Bearer|Basic) /, ''));
  for (const pair of headers.cookie?.split('; ') ?? []) mask.add(pair.split('=')[1]);
}

function requestText({ method, url, headers = {}, body }: HttpRequest): string {
  const lines = [
    `\n> ${method} ${readable(url)}`,
    ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
  ];
  if (body !== undefined)
    lines.push('>', ...bodyLines(body, headers['content-type'] ?? '').map((it) => `> ${it}`));
  return lines.join('\n');
}

function responseText(response: HttpResponse): string {
  const type = headerText(response, 'content-type') ?? '';
  const lines = [`< ${response.status}`];
  for (const name of shownHeaders) {
    const value = headerText(response, name);
    if (value !== undefined) lines.push(`< ${name}: ${name === 'location' ? readable(value) : value}`);
  }
  if (response.body !== '') {
    const all = bodyLines(response.body, type);
    lines.push('<', ...all.slice(0, mostLines).map((it) => `< ${it}`));
    if (all.length > mostLines) lines.push(`< … ${all.length - mostLines} more lines`);
  }
  return lines.join('\n');
}

/** Formats a URL with each query parameter on a line of its own. */
function readable(url: string): string {
  const at = url.indexOf('?');
  if (at < 0) return url;
  const parameters = [...new URLSearchParams(url.slice(at))].map(([name, value]) => `      ${name}=${value}`);
  return [url.slice(0, at), ...parameters].join('\n');
}

function bodyLines(body: string, type: string): string[] {
  if (type.includes('json')) return formattedJson(body);
  if (type.includes('x-www-form-urlencoded')) {
    return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`);
  }
  return type.includes('html') ? pageLines(body) : body.split('\n');
}

function formattedJson(body: string): string[] {
  try {
    const json: unknown = JSON.parse(body);
    return bundleLines(json) ?? JSON.stringify(json, undefined, 2).split('\n');
  } catch {
    return body.split('\n');
  }
}

/** Formats a page as a person sees it: headings, text, fields and buttons. */
function pageLines(html: string): string[] {
  const { headings, forms } = readPage(html);
  return [
    `[page] ${headings.join(' / ')}`,
    ...forms.flatMap(({ fields, buttons }) => [
      ...fields.filter(({ label }) => label !== '').map(({ label }) => `  field  ${label}`),
      ...buttons.map(({ text }) => `  button ${text}`),
    ]),
  ];
}
