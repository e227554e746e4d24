/** Event of API Gateway: `headers` has the last value of each header, `multiValueHeaders` all values. */
export interface HeaderEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
}

/**
 * Every value a request sent under a header's name, in lowercase; names are case-insensitive, and may come in several spellings.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function headerValues({ headers, multiValueHeaders }: HeaderEvent, name: string): readonly string[] {
  const isNamed = ([key]: readonly [string, unknown]) => key.toLowerCase() === name;
  const all = Object.entries(multiValueHeaders ?? {}).filter(isNamed);
  if (all.length > 0) return all.flatMap(([, values]) => values ?? []);
  return Object.entries(headers ?? {})
    .filter(isNamed)
    .flatMap(([, value]) => value ?? []);
}
