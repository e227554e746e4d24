/** Hook: state and validation of a form. */

import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import type { Outcome } from '../api/portal-client.ts';
import { type Problem, unanswered } from '../api/problem.ts';
import { afterPress } from './after-press.ts';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { type FieldErrors, problemErrors, problemOfField, schemaErrors } from './issues.ts';
import { type FieldName, type FieldValue, type FieldValues, requestOf } from './values.ts';

interface FormOptions<Request, Answer> {
  /**
   * The API's own schema of the request: browser and functions can't disagree. A function loads it while somebody types, for
   * pages that are opened first.
   */
  readonly schema: z.ZodMiniType<Request> | (() => Promise<z.ZodMiniType<Request>>);
  readonly initial?: FieldValues;
  /** Its answer becomes the request's `botCheck`; it is waited for once the fields hold. */
  readonly botCheck?: { answer(): Promise<string>; spent(): void };
  readonly send: (request: Request) => Promise<Outcome<Answer>>;
  readonly done: (answer: Answer) => void | Promise<void>;
  /** Keeps what is typed under this name until it is sent. */
  readonly draft?: string;
  /** Builds the request if it differs from the fields. */
  readonly request?: (values: FieldValues) => unknown;
}

export interface FormState<Name extends string = string> {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
  /** Problem of the API that concerns no field. */
  readonly problem: Problem | undefined;
  readonly pending: boolean;
  /** Grows with each try that failed: the summary of errors takes the focus then. */
  readonly failures: number;
  id(name: Name): string;
  /** Each field says how it is called, so that the summary of errors can name it. */
  label(name: Name, label: string): void;
  labelOf(name: string): string | undefined;
  /** A field for a password or a code says so: its value is in no draft. */
  secret(name: Name): void;
  set(name: Name, value: FieldValue): void;
  /** Leaving a field checks it, once a try has failed. */
  blur(name: Name): void;
  /** Checks only the fields of one step of a longer form. @returns whether they hold. */
  check(concerns: (name: string) => boolean): boolean | Promise<boolean>;
  /** Empties the form, as if nothing had been tried. */
  restart(): void;
  submit(event?: { preventDefault(): void }): Promise<void>;
}

/** A form checked by the API's schema: when it is submitted, and from then on when a field is left. */
export function useForm<Request, Answer>(
  options: FormOptions<Request, Answer>,
): FormState<FieldName<Request>> {
  const prefix = useId();
  const start = useMemo(
    () => ({ ...options.initial, ...(options.draft === undefined ? {} : readDraft(options.draft)) }),
    [],
  );
  const [values, setValues] = useState<FieldValues>(start);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const [failures, setFailures] = useState(0);
  const labels = useRef(new Map<string, string>()).current;
  const secrets = useRef(new Set<string>()).current;
  const latest = useRef(values);
  const judged = useRef<FieldValues>({});
  const busy = useRef(false);
  const schema = useRef<z.ZodMiniType<Request>>(undefined);
  latest.current = values;

  const load = async () => {
    schema.current ??= typeof options.schema === 'function' ? await options.schema() : options.schema;
  };
  useEffect(() => {
    // If the schema can't be loaded now, submitting tries again.
    load().catch(() => {});
  }, []);
  // Saved with each keystroke, so that a page that is left or reloaded at once has it too.
  useLayoutEffect(() => {
    if (options.draft !== undefined && values !== start) keepDraft(options.draft, values, secrets);
  }, [values]);

  const request = options.request ?? requestOf;
  // Validates the fields without waiting for the bot check, so that an empty field is reported at once.
  const standIn = options.botCheck === undefined ? {} : { botCheck: 'awaited' };
  const errorsNow = (more: object = {}) =>
    schema.current === undefined
      ? {}
      : schemaErrors(schema.current, { ...(request(latest.current) as object), ...more });
  const fail = (found: FieldErrors, what?: Problem) => {
    judged.current = latest.current;
    setErrors(found);
    setProblem(what);
    setFailures((count) => count + 1);
  };

  const attempt = async () => {
    await load();
    const { botCheck } = options;
    const found = errorsNow(standIn);
    if (Object.keys(found).length > 0) return fail(found);
    const more = botCheck === undefined ? {} : { botCheck: await botCheck.answer() };
    const unchecked = errorsNow(more);
    if (Object.keys(unchecked).length > 0) return fail(unchecked);
    setErrors({});
    setProblem(undefined);
    const outcome = await options.send({ ...(request(latest.current) as object), ...more } as Request);
    if (!outcome.ok) botCheck?.spent();
    if (outcome.ok) {
      if (options.draft !== undefined) dropDraft(options.draft);
      await options.done(outcome.value);
      return;
    }
    const { problem: what } = outcome;
    const fields =
      'errors' in what && what.errors !== undefined
        ? problemErrors(what.errors)
        : problemOfField(what, [...labels.keys()]);
    // Errors of fields are shown beside them, the others above the form.
    fail(fields, Object.keys(fields).length > 0 ? undefined : what);
  };

  return {
    values,
    errors,
    problem,
    pending,
    failures,
    id: (name) => `${prefix}-${name.replaceAll('.', '-')}`,
    label: (name, label) => void labels.set(name, label),
    labelOf: (name) => labels.get(name),
    secret: (name) => void secrets.add(name),
    set: (name, value) => {
      latest.current = { ...latest.current, [name]: value };
      setValues(latest.current);
    },
    blur: (name) => {
      if (failures === 0) return;
      afterPress(() => {
        // An unchanged value keeps the API's error, which the schema can't detect.
        if (judged.current[name] === latest.current[name]) return;
        const { [name]: found } = errorsNow(standIn);
        setErrors(({ [name]: _, ...others }) =>
          found === undefined ? others : { ...others, [name]: found },
        );
      });
    },
    check: async (concerns) => {
      await load();
      const found = Object.entries(errorsNow(standIn)).filter(([name]) => concerns(name));
      if (found.length === 0) {
        setErrors({});
        setFailures(0);
        return true;
      }
      fail(Object.fromEntries(found));
      return false;
    },
    restart: () => {
      latest.current = start;
      judged.current = start;
      setValues(start);
      setErrors({});
      setProblem(undefined);
      setFailures(0);
    },
    submit: async (event) => {
      event?.preventDefault();
      if (busy.current) return;
      busy.current = true;
      setPending(true);
      try {
        await attempt();
      } catch {
        // The code of the page could not be loaded: the network failed.
        fail({}, unanswered);
      } finally {
        busy.current = false;
        setPending(false);
      }
    },
  };
}
