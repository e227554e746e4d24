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
   * The API's own schema of the request, so that browser and functions check alike. As a function it is loaded after the page is shown,
   * which makes the pages that visitors open first smaller.
   */
  readonly schema: z.ZodMiniType<Request> | (() => Promise<z.ZodMiniType<Request>>);
  readonly initial?: FieldValues;
  /** The bot check, whose answer becomes the request's `botCheck`. The form waits for it after the other fields are valid. */
  readonly botCheck?: { answer(): Promise<string>; spent(): void };
  readonly send: (request: Request) => Promise<Outcome<Answer>>;
  readonly done: (answer: Answer) => void | Promise<void>;
  /** Name under which entered values are kept until they are sent. */
  readonly draft?: string;
  /**
   * Makes the request from the values.
   *
   * @default `requestOf`
   */
  readonly request?: (values: FieldValues) => unknown;
}

export interface FormState<Name extends string = string> {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
  /** A problem from the API that concerns no field. */
  readonly problem: Problem | undefined;
  readonly pending: boolean;
  /** Number of failed submissions. When it increases, the error summary takes the focus. */
  readonly failures: number;
  id(name: Name): string;
  /** Registers a field's label, by which the error summary names the field. */
  label(name: Name, label: string): void;
  labelOf(name: string): string | undefined;
  /** Registers a field for a password or code, whose value must not be stored in a draft. */
  secret(name: Name): void;
  set(name: Name, value: FieldValue): void;
  /** Validates a field that loses the focus, once a submission has failed. */
  blur(name: Name): void;
  /**
   * Validates only the fields of one step of a longer form.
   *
   * @returns whether they are valid.
   */
  check(concerns: (name: string) => boolean): boolean | Promise<boolean>;
  /** Clears the values and errors of the form. */
  restart(): void;
  submit(event?: { preventDefault(): void }): Promise<void>;
}

/** Makes a form that is validated by the API's schema: on submission, and after a failed submission whenever a field loses the focus. */
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
    // If the schema cannot be loaded now, the submission tries again.
    load().catch(() => {});
  }, []);
  // Saves at each keystroke, because the page may be left or reloaded at any time.
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
        // If the value is unchanged, the API's error stays, because the schema cannot find it.
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
