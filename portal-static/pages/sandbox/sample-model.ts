import { bodyText, type HttpCall } from './try-model.ts';

/** The languages a call is shown in, and the HAR request each generator of @scalar/snippetz takes. */
export const sampleLanguages = {
  curl: { name: 'curl', client: 'curl' },
  javascript: { name: 'JavaScript', client: 'fetch' },
  python: { name: 'Python', client: 'Requests' },
  java: { name: 'Java', client: 'java.net.http' },
  csharp: { name: 'C#', client: 'HttpClient' },
  swift: { name: 'Swift', client: 'URLSession' },
  kotlin: { name: 'Kotlin', client: 'OkHttp' },
} as const;
export type SampleLanguage = keyof typeof sampleLanguages;
export const sampleLanguageNames = Object.keys(sampleLanguages) as readonly SampleLanguage[];

/** The parts of HAR 1.2's `request` that the generators read. */
export function harOf(call: HttpCall) {
  const text = bodyText(call);
  const mimeType = call.headers['content-type'] ?? 'application/json';
  const form = mimeType === 'application/x-www-form-urlencoded';
  return {
    method: call.method,
    url: call.url,
    httpVersion: 'HTTP/1.1',
    headers: Object.entries(call.headers).map(([name, value]) => ({ name, value })),
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    ...(text === undefined
      ? {}
      : {
          postData: {
            mimeType,
            text,
            ...(form
              ? {
                  params: Object.entries(call.body ?? {}).map(([name, value]) => ({
                    name,
                    value,
                  })),
                }
              : {}),
          },
        }),
  };
}

/** One generator a language, each loaded when it is first asked for. */
const generators = {
  curl: async () => (await import('@scalar/snippetz/plugins/shell/curl')).shellCurl,
  javascript: async () => (await import('@scalar/snippetz/plugins/js/fetch')).jsFetch,
  python: async () => (await import('@scalar/snippetz/plugins/python/requests')).pythonRequests,
  java: async () => (await import('@scalar/snippetz/plugins/java/nethttp')).javaNethttp,
  csharp: async () => (await import('@scalar/snippetz/plugins/csharp/httpclient')).csharpHttpclient,
  swift: async () => (await import('@scalar/snippetz/plugins/swift/nsurlsession')).swiftNsurlsession,
  kotlin: async () => (await import('@scalar/snippetz/plugins/kotlin/okhttp')).kotlinOkhttp,
} as const;

/** The code that makes a call, with the values it was made with. */
export async function sampleOf(language: SampleLanguage, call: HttpCall): Promise<string> {
  const { generate } = await generators[language]();
  return generate(harOf(call));
}
