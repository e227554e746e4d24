/** Local CloudFront: runs a CloudFront Function of the templates on a request or a response. */

import { type Context, createContext, Script } from 'node:vm';
import type { Assembly } from '../assembly/resources.ts';
import { type Reader, readerOf, settingsOf } from '../assembly/settings.ts';
import { restriction, unsupportedSyntax } from './viewer-runtime.ts';

/** A function failed or took too long. The message is never sent to the viewer. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

/** A value of a header, a cookie or a query parameter in an event. */
export interface EventValue {
  readonly value: string;
  readonly attributes?: string;
  readonly multiValue?: readonly { readonly value: string; readonly attributes?: string }[];
}
export type EventValues = Readonly<Record<string, EventValue>>;

export interface EventRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: EventValues;
  readonly headers: EventValues;
  readonly cookies: EventValues;
}

export interface EventResponse {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: EventValues;
  readonly cookies?: EventValues;
  readonly body?: string | { readonly encoding: 'text' | 'base64'; readonly data: string };
}

/** @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html */
export interface FunctionEvent {
  readonly version: '1.0';
  readonly context: {
    readonly distributionDomainName: string;
    readonly distributionId: string;
    readonly eventType: 'viewer-request' | 'viewer-response';
    readonly requestId: string;
  };
  readonly viewer: { readonly ip: string };
  readonly request: EventRequest;
  readonly response?: EventResponse;
}

/**
 * Runs a function.
 *
 * @returns what its handler returned, converted by JSON.
 * @throws FunctionFailed
 */
export type ViewerFunction = (event: FunctionEvent) => unknown;

/** Most bytes of a function's code ("Quotas on CloudFront Functions"). */
const codeLimitBytes = 10_240;
/** Timeout in milliseconds. CloudFront allows less than one millisecond of CPU time, but this machine may be busy. */
const patienceMs = 1_000;

/**
 * Compiles an `AWS::CloudFront::Function`. It runs with the JavaScript of `cloudfront-js-2.0`, without timers, network, files and code from
 * strings, and its variables are new in every call. The runtime's modules (`cloudfront`, `crypto`, `querystring`) are not supported here.
 *
 * @throws AssemblyError if CloudFront or this machine could not run it.
 */
export function readViewerFunction(assembly: Assembly, arn: string, reader: Reader): ViewerFunction {
  const found = assembly.byArn(arn);
  if (found?.type !== 'AWS::CloudFront::Function')
    return reader.fail(`no template declares the function ${arn}`);
  const own = readerOf(found);
  const code = String(found.properties.FunctionCode);
  const config = settingsOf(found.properties.FunctionConfig);
  own.check(config, ['Runtime'], ['Comment']);
  if (config.Runtime !== 'cloudfront-js-2.0') {
    own.fail(`the runtime ${String(config.Runtime)} is not implemented on one machine`);
  }
  if (Buffer.byteLength(code) > codeLimitBytes) own.fail(`its code is larger than ${codeLimitBytes} bytes`);
  if (/\brequire\s*\(|^\s*import\b/m.test(code))
    own.fail("the runtime's modules are not implemented on one machine");
  const filename = `${found.logicalId}.js`;
  const missing = syntaxIn(code, own);
  if (missing !== undefined) own.fail(`cloudfront-js-2.0 can't read its code: ${missing}`);
  return runner(new Script(callOf(code), { filename }));
}

function syntaxIn(code: string, own: Reader): string | undefined {
  try {
    return unsupportedSyntax(code);
  } catch (error) {
    return own.fail(`its code can't be read: ${(error as Error).message}`);
  }
}

/** The script of one call: it evaluates the code again, and calls its handler with JSON. */
function callOf(code: string): string {
  return `(async () => {
    const handler = (() => { ${code}
      return handler;
    })();
    answer = JSON.stringify(await handler(JSON.parse(event))) ?? 'null';
  })().catch((error) => { failure = String(error); });`;
}

interface Globals {
  event: string | undefined;
  answer: string | undefined;
  failure: string | undefined;
}

/**
 * Makes the function that runs a script in a realm of its own. The realm is replaced only after a call that had to be stopped, because
 * making one takes milliseconds.
 */
function runner(script: Script): ViewerFunction {
  let realm: { readonly globals: Globals; readonly context: Context } | undefined;
  return (event) => {
    realm ??= createRealm();
    const { globals, context } = realm;
    Object.assign(globals, { event: JSON.stringify(event), answer: undefined, failure: undefined });
    try {
      script.runInContext(context, { timeout: patienceMs });
    } catch (error) {
      realm = undefined;
      throw new FunctionFailed(String(error));
    }
    if (globals.failure !== undefined) throw new FunctionFailed(globals.failure);
    if (globals.answer === undefined) throw new FunctionFailed('it never answers');
    return JSON.parse(globals.answer);
  };
}

function createRealm(): { readonly globals: Globals; readonly context: Context } {
  const globals: Globals = Object.assign(Object.create(null), {
    event: undefined,
    answer: undefined,
    failure: undefined,
  });
  const context = createContext(globals, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  silence.runInContext(context);
  restriction.runInContext(context);
  return { globals, context };
}

/** Replaces a function's console: CloudFront logs to CloudWatch Logs in us-east-1, this machine does not log. */
const silence = new Script('var console = { log() {}, error() {} };');
