/** Local CloudWatch Logs: compiles filter patterns. */

import { NotImplemented } from '../protocol/aws-error.ts';

/** Whether a log event's message matches. */
export type LogFilter = (message: string) => boolean;

/** Matches `$.name = "text"`. A `*` in the text, which AWS supports, is not supported here. */
const comparison = String.raw`\s*\$\.(\w+)\s*=\s*"([^"\\*]*)"\s*`;
const pattern = new RegExp(String.raw`^\s*\{${comparison}(?:\|\|${comparison})*\}\s*$`);

/**
 * Compiles a filter pattern for JSON events, in the forms that the templates and the functions use: comparisons of text fields, one of
 * which must hold: `{ $.apiKeyId = "k1" || $.apiKeyId = "k2" }`. An empty pattern matches everything.
 *
 * @throws NotImplemented for any other pattern.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function compileLogFilter(text: string): LogFilter {
  if (text.trim() === '') return () => true;
  if (!pattern.test(text)) throw new NotImplemented(`the filter pattern ${text}`);
  const wanted = [...text.matchAll(new RegExp(comparison, 'g'))];
  return (message) => {
    const fields = fieldsOf(message);
    return wanted.some(([, name = '', value]) => Object.hasOwn(fields, name) && fields[name] === value);
  };
}

/** The fields of an event; empty if it isn't a JSON object. */
function fieldsOf(message: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(message)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
