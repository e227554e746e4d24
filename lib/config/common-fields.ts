import * as z from 'zod';

/** Fields that several configuration files have. */
export const fields = {
  wholeNumber: z.int().positive(),
  domain: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'expected a domain name in lowercase'),
  scheme: z.enum(['https', 'http']).default('https'),
  /** Port, if it isn't the default of the scheme. */
  port: z.int().positive().max(65_535).optional(),
  email: z.email('expected an e-mail address'),
  account: z.string().regex(/^\d{12}$/, 'expected an AWS account number of 12 digits'),
  region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'expected an AWS Region'),
  /**
   * Concurrent Lambda executions that the account may have in the Region (Service Quotas, `L-B99A9384`). New accounts often begin with 10.
   * With `unreserved`, functions reserve no concurrency, so that a flood of one route takes capacity from all others: for trials only.
   */
  lambdaConcurrency: z.union([z.int().positive(), z.literal('unreserved')]).default(1_000),
  hostedZone: z.strictObject({
    id: z.string().regex(/^Z[A-Z0-9]+$/, 'expected a Route 53 hosted zone id'),
    name: z.string().min(1),
  }),
};

/** Whether a host name is the zone's own or a subdomain of it. */
export function isInZone(zone: string, name: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Region and account of an ARN. */
export function accountAndRegionOf(arn: string): { readonly region: string; readonly account: string } {
  const [, , , region = '', account = ''] = arn.split(':');
  return { region, account };
}

/** Makes an issue about a field, for a check of the whole file. */
export function wrongField(path: readonly string[], message: string, input: unknown) {
  return { code: 'custom' as const, path: [...path], message, input };
}

/** A configuration file has invalid values. The message names the file, each invalid field and the expected value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Validates a configuration file's values.
 *
 * @param file name of the file, for the message.
 * @throws ConfigurationError
 */
export function parseFile<Schema extends z.ZodType>(
  schema: Schema,
  file: string,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: no such field`)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  throw new ConfigurationError(`${file} is invalid:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
