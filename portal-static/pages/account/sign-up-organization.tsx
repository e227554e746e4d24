import { useEffect, useState } from 'preact/hooks';
import { hipaaAffirmation } from '../../../lambdas/catalog/agreements.ts';
import { Page } from '../../app/page.tsx';
import { BotCheckStatus } from '../../components/bot-check.tsx';
import { Form } from '../../components/form.tsx';
import {
  AddressScreen,
  CompanyScreen,
  type OrganizationForm,
  PeopleScreen,
} from './organization-screens.tsx';
import { SignUpSteps } from './sign-up-parts.tsx';
import { useSignUp } from './use-sign-up.ts';

/** The screens, and which fields stand on each. What is typed stays when somebody goes back and forth. */
const screens = [
  {
    name: 'Your company',
    fields: /^(?:companyLegalName|companyEmailDomain|employerIdentificationNumber|hipaaAffirmation)/,
  },
  { name: 'Address and customer service', fields: /^(?:companyAddress|customerService)/ },
  { name: 'People and password', fields: /^/ },
] as const;

const screenOf = (name: string) => screens.findIndex(({ fields }) => fields.test(name));

export function SignUpOrganization(props: {
  readonly developerType: 'payer' | 'brokerage';
  readonly title: string;
}) {
  const { form, check } = useSignUp(props.developerType, {
    'hipaaAffirmation.version': hipaaAffirmation.version,
    'hipaaAffirmation.accepted': false,
  }) as { readonly form: OrganizationForm; readonly check: ReturnType<typeof useSignUp>['check'] };
  const [current, setCurrent] = useState(0);
  const last = current === screens.length - 1;
  useEffect(() => {
    // What the API refuses may stand on an earlier screen.
    const first = Math.min(...Object.keys(form.errors).map(screenOf));
    if (first < current) setCurrent(first);
  }, [form.failures]);
  const next = async (event: SubmitEvent) => {
    event.preventDefault();
    if (last) return await form.submit();
    if (await form.check((name) => screenOf(name) === current)) setCurrent(current + 1);
  };
  return (
    <Page
      title={`${props.title}: ${screens[current]?.name.toLowerCase()}`}
      over={`Your details, part ${current + 1} of ${screens.length}`}
    >
      <SignUpSteps kind="organization" current={0} />
      <Form
        form={form}
        action={last ? 'Sign up' : 'Continue'}
        pending="Signing you up…"
        onSubmit={(event) => void next(event)}
        beside={
          current > 0 && (
            <button
              type="button"
              class="usa-button usa-button--unstyled"
              onClick={() => setCurrent(current - 1)}
            >
              Back
            </button>
          )
        }
      >
        {current === 0 && <CompanyScreen form={form} brokerage={props.developerType === 'brokerage'} />}
        {current === 1 && <AddressScreen form={form} />}
        {last && <PeopleScreen form={form} />}
        {/* The check goes on while the screens change. */}
        <div hidden={!last}>
          <BotCheckStatus check={check} />
        </div>
      </Form>
    </Page>
  );
}
