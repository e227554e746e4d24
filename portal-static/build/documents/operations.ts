/** The type of an OpenAPI operation, and the parts that all operations share. */

import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { BodyParameter } from './token-requests.ts';

/** An operation of the member-facing interfaces with its host, method and path. */
export interface DocumentedOperation {
  readonly host: 'lob' | 'auth' | 'token';
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  /** The LOBs that offer the operation, if not all do. */
  readonly linesOfBusiness?: readonly string[];
  readonly operation: ZodOpenApiOperationObject & {
    readonly operationId: string;
    readonly summary: string;
  };
}

/** Header of every request and response (`lambdas/platform/http/pipeline.ts`). */
export const requestIdHeader = z.string().max(64).optional().meta({
  description:
    'Your own ID of the call: at most 64 letters, digits, dots, hyphens and underscores. The response returns it.',
});
export const requestIdAnswer = z.string().meta({ description: 'ID of this call; send it to support.' });
export const retryAfterAnswer = z
  .string()
  .meta({ description: 'Seconds to wait before you try again (RFC 9110 section 10.2.3).' });

/** Makes the schema of a form body from a table of its parameters; each value is a string. */
export function bodySchema(parameters: Readonly<Record<string, BodyParameter>>) {
  return z.object(
    Object.fromEntries(
      Object.entries(parameters).map(([name, { required, meaning, example }]) => {
        // A literal, because `grant_type` tells apart the bodies of the token endpoint.
        const value = name === 'grant_type' ? z.literal(example) : z.string();
        const schema = value.meta({ description: meaning });
        return [name, required ? schema : schema.optional()];
      }),
    ),
  );
}

const sentence = (text: string) => text.replace(/\.?$/, '.');

/** Makes the response of a status from its errors, with an example of each. */
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
