import { useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { rotationRequest } from '../../../lambdas/portal-api/applications.ts';
import type { ApplicationView, RotationView } from '../../../lambdas/portal-api/views.ts';
import { call } from '../../api/client.ts';
import { Alert } from '../../components/alert.tsx';
import { RadioGroup } from '../../components/choices.tsx';
import { Time } from '../../components/display.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { overlaps } from './credentials-model.ts';

const words = {
  secret: { thing: 'client secret', route: 'rotate-secret' },
  key: { thing: 'subscription key', route: 'rotate-key' },
} as const;

/** A new secret or key beside the old one, which works on for as long as it is chosen here. */
export function Rotate(props: {
  readonly what: keyof typeof words;
  readonly environment: Environment;
  readonly application: ApplicationView;
  readonly reload: () => void;
}) {
  const { what, environment, application } = props;
  const { thing, route } = words[what];
  // The same through repeats of one try, so that a lost answer makes no second secret.
  const requestId = useRef(crypto.randomUUID());
  const [made, setMade] = useState<RotationView>();
  const form = useForm({
    schema: () => Promise.resolve(rotationRequest),
    initial: { overlapSeconds: '86400' },
    request: (values) => ({ requestId: requestId.current, overlapSeconds: Number(values.overlapSeconds) }),
    send: async (body) => {
      const outcome = await call(
        `POST /api/applications/{applicationId}/credentials/{environment}/${route}`,
        {
          path: { applicationId: application.applicationId, environment },
          body,
        },
      );
      // The five minutes are over: the page asks for the password again.
      if (!outcome.ok && outcome.problem.code === 'password_needed') props.reload();
      return outcome;
    },
    done: (rotation) => {
      requestId.current = crypto.randomUUID();
      setMade(rotation);
      props.reload();
    },
  });
  if (made !== undefined) {
    return (
      <Alert kind="success" title={`There is a new ${thing}`} focus>
        <p>
          It is the newest one above.{' '}
          {made.previousExpiresAt === undefined ? (
            'The old one has stopped.'
          ) : (
            <>
              The old one works until <Time at={made.previousExpiresAt} />.
            </>
          )}
        </p>
      </Alert>
    );
  }
  return (
    <details class="rotate">
      <summary>Rotate the {thing}</summary>
      <p>
        You get a new {thing}. The old one works on for the time you choose, so that no call is lost while you
        change over. Two can be live at once.
      </p>
      <Form form={form} action={`Make a new ${thing}`}>
        <RadioGroup
          form={form}
          name="overlapSeconds"
          label="The old one stops after"
          choices={overlaps.map(({ seconds, label, explanation }) => ({
            value: String(seconds),
            label,
            hint: explanation,
          }))}
        />
      </Form>
    </details>
  );
}
