import { type Call, contextVariable, mappedValue } from './call.ts';
import type { GatewayRefusal } from './refusal.ts';
import { headerOf } from './request.ts';
import type { GatewayResponse } from './rest-api.ts';

export interface GatewayAnswer {
  readonly statusCode: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/**
 * Makes the response of a refusal: by the API's gateway response of its type, else by `DEFAULT_4XX` or `DEFAULT_5XX`, else API Gateway's
 * own JSON. A gateway response without a status keeps the refusal's status.
 */
export function wordRefusal(refusal: GatewayRefusal, call: Call): GatewayAnswer {
  const { responses } = call.stage.api;
  const fallback = refusal.statusCode < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const own = responses.get(refusal.type);
  const response: GatewayResponse = own ?? responses.get(fallback) ?? { parameters: {}, templates: {} };
  const { contentType, template } = chooseTemplate(response.templates, headerOf(call.request, 'accept'));
  const headers = new Map<string, readonly [string, string]>();
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, value]);
  set('Content-Type', contentType);
  set('x-amzn-ErrorType', refusal.errorType);
  for (const [target, expression] of Object.entries(response.parameters)) {
    const value = mappedValue(expression, call);
    const name = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
    if (name !== undefined && value !== undefined) set(name, value);
  }
  return {
    statusCode: response.statusCode ?? refusal.statusCode,
    headers: [...headers.values()],
    body: Buffer.from(fill(template, refusal, call)),
  };
}

const ownTemplate = '{"message":$context.error.messageString}';

/** The template for the media type in the Accept header, else the one for `application/json`. */
function chooseTemplate(templates: Readonly<Record<string, string>>, accept = '') {
  for (const range of accept.split(',')) {
    const contentType = range.split(';')[0]?.trim() ?? '';
    const template = templates[contentType];
    if (template !== undefined) return { contentType, template };
  }
  return { contentType: 'application/json', template: templates['application/json'] ?? ownTemplate };
}

/** Fills in the variables of a template; gateway responses have no template language. */
function fill(template: string, refusal: GatewayRefusal, call: Call): string {
  return template.replace(
    /\$(context|stageVariables)\.([A-Za-z][\w.-]*\w)/g,
    (_all, source: string, name: string) => {
      if (source === 'stageVariables') return call.stage.variables?.[name] ?? '';
      if (name === 'error.message') return refusal.message ?? 'null';
      if (name === 'error.messageString') return JSON.stringify(refusal.message);
      if (name === 'error.responseType') return refusal.type;
      if (name === 'error.validationErrorString') return '';
      return contextVariable(name, call) ?? '';
    },
  );
}
