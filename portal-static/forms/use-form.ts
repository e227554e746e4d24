import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import type { Outcome } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { type FieldErrors, problemErrors, schemaErrors } from './issues.ts';
import { type FieldName, type FieldValue, type FieldValues, requestOf } from './values.ts';

interface FormOptions<Request, Answer> {
  /** The API's own schema of the request: the browser and the functions can't disagree. */
  readonly schema: z.ZodMiniType<Request>;
  readonly initial?: FieldValues;
  /** Adds to the request what no field holds, before it is checked: the bot check's answer. */
  readonly complete?: () => Promise<Readonly<Record<string, unknown>>>;
  readonly send: (request: Request) => Promise<Outcome<Answer>>;
  readonly done: (answer: Answer) => void | Promise<void>;
  /** Keeps what is typed under this name until it is sent. */
  readonly draft?: string;
  /** Where the request is not the fields one to one. */
  readonly request?: (values: FieldValues) => unknown;
}

export interface Form<Name extends string = string> {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
  /** What the API answered that is about no field. */
  readonly problem: Problem | undefined;
  readonly pending: boolean;
  /** Grows with each try that failed: the summary of errors takes the focus then. */
  readonly failures: number;
  id(name: Name): string;
  /** Each field says how it is called, so that the summary of errors can name it. */
  label(name: Name, label: string): void;
  labelOf(name: string): string | undefined;
  set(name: Name, value: FieldValue): void;
  /** Leaving a field checks it, once a try has failed. */
  blur(name: Name): void;
  /** Checks only the fields of one step of a longer form. @returns whether they hold. */
  check(concerns: (name: string) => boolean): boolean;
  submit(event?: { preventDefault(): void }): Promise<void>;
}

/** A form checked by the API's schema: when it is submitted, and from then on when a field is left. */
export function useForm<Request, Answer>(options: FormOptions<Request, Answer>): Form<FieldName<Request>> {
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
  const latest = useRef(values);
  const busy = useRef(false);
  latest.current = values;

  useEffect(() => {
    if (options.draft !== undefined && values !== start) keepDraft(options.draft, values);
  }, [values]);

  const request = options.request ?? requestOf;
  const errorsNow = (more: object = {}) =>
    schemaErrors(options.schema, { ...(request(latest.current) as object), ...more });
  const fail = (found: FieldErrors, what?: Problem) => {
    setErrors(found);
    setProblem(what);
    setFailures((count) => count + 1);
  };

  const attempt = async () => {
    const more = (await options.complete?.()) ?? {};
    const found = errorsNow(more);
    if (Object.keys(found).length > 0) return fail(found);
    setErrors({});
    setProblem(undefined);
    const outcome = await options.send({ ...(request(latest.current) as object), ...more } as Request);
    if (outcome.ok) {
      if (options.draft !== undefined) dropDraft(options.draft);
      await options.done(outcome.value);
      return;
    }
    const { problem: what } = outcome;
    const fields = 'errors' in what && what.errors !== undefined ? problemErrors(what.errors) : {};
    // What is about fields stands beside them; the rest stands above the form.
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
    set: (name, value) => {
      latest.current = { ...latest.current, [name]: value };
      setValues(latest.current);
    },
    blur: (name) => {
      if (failures === 0) return;
      const { [name]: found } = errorsNow();
      const { [name]: _, ...others } = errors;
      setErrors(found === undefined ? others : { ...others, [name]: found });
    },
    check: (concerns) => {
      const found = Object.entries(errorsNow()).filter(([name]) => concerns(name));
      if (found.length === 0) {
        setErrors({});
        setFailures(0);
        return true;
      }
      fail(Object.fromEntries(found));
      return false;
    },
    submit: async (event) => {
      event?.preventDefault();
      if (busy.current) return;
      busy.current = true;
      setPending(true);
      try {
        await attempt();
      } finally {
        busy.current = false;
        setPending(false);
      }
    },
  };
}
