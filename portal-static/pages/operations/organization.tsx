/** Section on the operators' page of an application: the verified identifiers of a payer's organization, by environment. */

import type { VerifiedOrganizationView } from '../../../lambdas/portal/api/operator-views.ts';
import { statedFrom, statedIdentifiers } from '../../../lambdas/portal/api/stated-identifiers.ts';
import { call } from '../../api/portal-client.ts';
import '../../app/kernel.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Fields } from '../../components/field-table.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { identifierFields } from '../account/identifier-fields.ts';
import { Loaded, type Remote, useRemote } from '../applications/remote.tsx';

const environmentTitles = { sandbox: 'Sandbox', production: 'Production' } as const;

const rows = identifierFields.map(({ field, ...row }) => ({
  ...row,
  name: field,
  spellcheck: false as const,
  optional: true as const,
}));

/** Shows the identifiers by which a member's Consent may name the payer as recipient, and the form that replaces them. */
export function Organization({ applicationId }: { readonly applicationId: string }) {
  const remote = useRemote(
    () => call('GET /api/operations/applications/{applicationId}/organization', { path: { applicationId } }),
    applicationId,
  );
  return (
    <section aria-labelledby="organization">
      <h2 id="organization">Verified identifiers of the organization</h2>
      <p>
        A member’s consent names this payer by one of these. Without any, the application cannot match
        members. Check each at its source, such as the NPI in the NPPES registry.
      </p>
      <Loaded remote={remote} words="Loading the identifiers…">
        {({ environments }) => (
          <>
            {environments.length === 0 && <p>The application is not registered in an environment yet.</p>}
            {environments.map((one) => (
              <Identifiers key={one.environment} applicationId={applicationId} one={one} remote={remote} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Identifiers(props: {
  readonly applicationId: string;
  readonly one: VerifiedOrganizationView['environments'][number];
  readonly remote: Remote<VerifiedOrganizationView>;
}) {
  const { applicationId, one, remote } = props;
  const { environment, identifiers } = one;
  const announce = useAnnounce();
  const form = useForm({
    schema: statedIdentifiers,
    initial: statedFrom(identifiers) as Readonly<Record<string, string>>,
    send: (body) =>
      call('PUT /api/operations/applications/{applicationId}/organization/{environment}', {
        path: { applicationId, environment },
        body,
      }),
    done: (view) => {
      remote.replace(view);
      announce(`The identifiers in ${environment} were saved.`);
    },
  });
  const title = environmentTitles[environment];
  return (
    <section aria-label={`${title} identifiers`}>
      <h3>{title}</h3>
      <p>
        {identifiers.length === 0
          ? 'None is verified.'
          : `Verified: ${identifiers.map(({ value }) => value).join(', ')}. Saving replaces all of them.`}
      </p>
      <Form form={form} action={`Verify in ${environment}`}>
        <Fields form={form} fields={rows} />
      </Form>
    </section>
  );
}
