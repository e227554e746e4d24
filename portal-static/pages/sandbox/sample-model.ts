import { bodyFields, type HttpCall, requestBodyText } from './http-call.ts';

/**
 * Makes a whole program of a call in each language. It needs only the language's standard library, and prints the response's status and
 * body. `test/portal-static/sample-programs.test.ts` runs the programs.
 */

/** Quotes a text as a JSON string, which is a string literal in each of these languages as long as the text is ASCII. */
const quoted = (text: string) => JSON.stringify(text);
/** Escapes `$`, after which Kotlin would interpolate a variable. */
const quotedForKotlin = (text: string) => quoted(text).replaceAll('$', '\\$');
const quotedForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

interface Language {
  readonly name: string;
  /** File name of the program; `run` is the command that runs it. */
  readonly file: string;
  readonly run: string;
  readonly comment: '#' | '//';
  readonly program: (request: Request) => readonly string[];
}

export const sampleLanguages = {
  curl: {
    name: 'curl',
    file: 'call.sh',
    run: 'sh call.sh',
    comment: '#',
    program: ({ method, url, headers, body }) => {
      const parts = [
        `curl --include --location --request ${method} ${quotedForShell(url)}`,
        ...headers.map(([name, value]) => `--header ${quotedForShell(`${name}: ${value}`)}`),
        ...(body === undefined ? [] : [`--data-raw ${quotedForShell(body)}`]),
      ];
      return [parts.join(' \\\n  ')];
    },
  },
  javascript: {
    name: 'JavaScript',
    file: 'call.mjs',
    run: 'node call.mjs',
    comment: '//',
    program: ({ method, url, headers, body }) => [
      `const response = await fetch(${quoted(url)}, {`,
      `  method: ${quoted(method)},`,
      '  headers: {',
      ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`),
      '  },',
      ...(body === undefined ? [] : [`  body: ${quoted(body)},`]),
      '});',
      'console.log(response.status);',
      'console.log(await response.text());',
    ],
  },
  python: {
    name: 'Python',
    file: 'call.py',
    run: 'python3 call.py',
    comment: '#',
    program: ({ method, url, headers, body }) => [
      'import urllib.error',
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${quoted(url)},`,
      `    method=${quoted(method)},`,
      '    headers={',
      ...headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`),
      '    },',
      ...(body === undefined ? [] : [`    data=${quoted(body)}.encode(),`]),
      ')',
      'try:',
      '    response = urllib.request.urlopen(request)',
      'except urllib.error.HTTPError as refusal:',
      '    response = refusal',
      'print(response.status)',
      'print(response.read().decode())',
    ],
  },
  java: {
    name: 'Java',
    file: 'Call.java',
    run: 'java Call.java',
    comment: '//',
    program: ({ method, url, headers, body }) => [
      'import java.net.URI;',
      'import java.net.http.HttpClient;',
      'import java.net.http.HttpRequest;',
      'import java.net.http.HttpResponse;',
      '',
      'public class Call {',
      '    public static void main(String[] arguments) throws Exception {',
      `        HttpRequest request = HttpRequest.newBuilder(URI.create(${quoted(url)}))`,
      ...headers.map(([name, value]) => `            .header(${quoted(name)}, ${quoted(value)})`),
      `            .method(${quoted(method)}, HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${quoted(body)})`})`,
      '            .build();',
      '        HttpResponse<String> response =',
      '            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
      '        System.out.println(response.statusCode());',
      '        System.out.println(response.body());',
      '    }',
      '}',
    ],
  },
  csharp: {
    name: 'C#',
    file: 'Program.cs',
    run: 'dotnet run, in a project of “dotnet new console”',
    comment: '//',
    program: ({ method, url, headers, body }) => [
      'using System;',
      'using System.Net.Http;',
      'using System.Net.Http.Headers;',
      '',
      'class Program',
      '{',
      '    static void Main()',
      '    {',
      '        using (var client = new HttpClient())',
      `        using (var request = new HttpRequestMessage(new HttpMethod(${quoted(method)}), ${quoted(url)}))`,
      '        {',
      ...headers
        .filter(([name]) => name !== 'content-type')
        .map(
          ([name, value]) =>
            `            request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`,
        ),
      ...(body === undefined
        ? []
        : [
            `            request.Content = new StringContent(${quoted(body)});`,
            ...headers
              .filter(([name]) => name === 'content-type')
              .map(
                ([, value]) =>
                  `            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${quoted(value)});`,
              ),
          ]),
      '            using (var response = client.SendAsync(request).GetAwaiter().GetResult())',
      '            {',
      '                Console.WriteLine((int)response.StatusCode);',
      '                Console.WriteLine(response.Content.ReadAsStringAsync().GetAwaiter().GetResult());',
      '            }',
      '        }',
      '    }',
      '}',
    ],
  },
  swift: {
    name: 'Swift',
    file: 'call.swift',
    run: 'swift call.swift',
    comment: '//',
    program: ({ method, url, headers, body }) => [
      'import Foundation',
      '#if canImport(FoundationNetworking)',
      'import FoundationNetworking',
      '#endif',
      '',
      `var request = URLRequest(url: URL(string: ${quoted(url)})!)`,
      `request.httpMethod = ${quoted(method)}`,
      ...headers.map(
        ([name, value]) => `request.setValue(${quoted(value)}, forHTTPHeaderField: ${quoted(name)})`,
      ),
      ...(body === undefined ? [] : [`request.httpBody = ${quoted(body)}.data(using: .utf8)`]),
      '',
      'let answered = DispatchSemaphore(value: 0)',
      'URLSession.shared.dataTask(with: request) { data, response, error in',
      '    if let response = response as? HTTPURLResponse { print(response.statusCode) }',
      '    if let data = data { print(String(decoding: data, as: UTF8.self)) }',
      '    if let error = error { print(error.localizedDescription) }',
      '    answered.signal()',
      '}.resume()',
      'answered.wait()',
    ],
  },
  kotlin: {
    name: 'Kotlin',
    file: 'call.kt',
    run: 'kotlinc call.kt -include-runtime -d call.jar && java -jar call.jar',
    comment: '//',
    program: ({ method, url, headers, body }) => [
      'import java.net.URI',
      'import java.net.http.HttpClient',
      'import java.net.http.HttpRequest',
      'import java.net.http.HttpResponse',
      '',
      'fun main() {',
      `    val request = HttpRequest.newBuilder(URI.create(${quotedForKotlin(url)}))`,
      ...headers.map(
        ([name, value]) => `        .header(${quotedForKotlin(name)}, ${quotedForKotlin(value)})`,
      ),
      `        .method(${quotedForKotlin(method)}, HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${quotedForKotlin(body)})`})`,
      '        .build()',
      '    val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())',
      '    println(response.statusCode())',
      '    println(response.body())',
      '}',
    ],
  },
} as const satisfies Readonly<Record<string, Language>>;
export type SampleLanguage = keyof typeof sampleLanguages;
export const sampleLanguageNames = Object.keys(sampleLanguages) as readonly SampleLanguage[];

/**
 * Placeholders for values that are valid once, by their parameter in the body. Sending a code or a rotated refresh token a second time ends
 * the grant (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2), so no sample program contains a used one.
 */
const usedUp = {
  code: 'YOUR_CODE',
  code_verifier: 'YOUR_CODE_VERIFIER',
  client_assertion: 'YOUR_CLIENT_ASSERTION',
  refresh_token: 'YOUR_REFRESH_TOKEN',
} as const;
type UsedUp = keyof typeof usedUp;

/** Lists the placeholders that the user of a call's program must replace by new values. */
export function neededAnew(call: HttpCall): readonly string[] {
  const fields = bodyFields(call);
  return (Object.keys(usedUp) as UsedUp[]).filter((name) => name in fields).map((name) => usedUp[name]);
}

/** Replaces each value that is valid once by its placeholder. */
export function repeatable(call: HttpCall): HttpCall {
  if (typeof call.body !== 'object') return call;
  const entries = Object.entries(call.body).map(([name, value]) => [name, usedUp[name as UsedUp] ?? value]);
  return { ...call, body: Object.fromEntries(entries) as Readonly<Record<string, string>> };
}

/** The program of a call, with the call's own values except those that are valid once. */
export function sampleOf(language: SampleLanguage, call: HttpCall): string {
  const { file, run, comment, program }: Language = sampleLanguages[language];
  const { method, url, headers } = call;
  const anew = neededAnew(call);
  const lines = [
    `${comment} Save this program as ${file} and run: ${run}`,
    ...(anew.length === 0 ? [] : [`${comment} Replace with your own values: ${anew.join(', ')}`]),
    '',
    ...program({ method, url, headers: Object.entries(headers), body: requestBodyText(repeatable(call)) }),
  ];
  return `${lines.join('\n')}\n`;
}
