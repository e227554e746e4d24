/** Operations of the OpenAPI document, and what all have in common. */

import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { BodyParameter } from './token-requests.ts';

/** One operation of the member-facing interfaces, and where it is. */
export interface DocumentedOperation {
  readonly host: 'lob' | 'auth' | 'token';
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  /** Not every line of business offers every interface. */
  readonly linesOfBusiness?: readonly string[];
  readonly operation: ZodOpenApiOperationObject & {
    readonly operationId: string;
    readonly summary: string;
  };
}

/** Answered with, and asked for, on every call (`lambdas/platform/http/pipeline.ts`). */
export const requestIdHeader = z.string().max(64).optional().meta({
  description:
    'Your own ID of the call: at most 64 letters, digits, dots, hyphens and underscores. The response returns it.',
});
export const requestIdAnswer = z.string().meta({ description: 'ID of this call; send it to support.' });
export const retryAfterAnswer = z
  .string()
  .meta({ description: 'Seconds to wait before you try again (RFC 9110 section 10.2.3).' });

/** A JSON object of strings, from a table of parameters. */
export function bodySchema(parameters: Readonly<Record<string, BodyParameter>>) {
  return z.object(
    Object.fromEntries(
      Object.entries(parameters).map(([name, { required, meaning, example }]) => {
        // The grant type tells the bodies of one endpoint apart.
        const value = name === 'grant_type' ? z.literal(example) : z.string();
        const schema = value.meta({ description: meaning });
        return [name, required ? schema : schema.optional()];
      }),
    ),
  );
}

const sentence = (text: string) => text.replace(/\.?$/, '.');

/** Refusals of one status as a response: each with its example. */
export function refusalResponse(
  contentType: string,
  schema: z.ZodType,
  refusals: readonly { readonly name: string; readonly summary: string; readonly body: unknown }[],
  headers: Readonly<Record<string, z.ZodType>> = {},
): ZodOpenApiResponseObject {
  return {
    description: [...new Set(refusals.map(({ summary }) => sentence(summary)))].join(' '),
    headers: z.object({ 'X-Request-Id': requestIdAnswer, ...headers }),
    content: {
      [contentType]: {
        schema,
        examples: Object.fromEntries(
          refusals.map(({ name, summary, body }) => [name, { summary, value: body }]),
        ),
      },
    },
  };
}
