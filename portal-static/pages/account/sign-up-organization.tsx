/** Sign-up page of organizations. */

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Agreement } from '../../../lambdas/portal/catalog/agreements.ts';
import { NotLoadedPage, Page } from '../../app/page.tsx';
import { type BotCheckField, BotCheckStatus } from '../../components/bot-check.tsx';
import { Form as FormElement } from '../../components/form.tsx';
import { useLater } from '../../components/later.tsx';
import { Progress } from '../../components/progress.tsx';
import type { FormState } from '../../forms/use-form.ts';
import type { OrganizationField } from './organization-form.ts';
import { SignUpSteps } from './sign-up-parts.tsx';
import { useSignUp } from './use-sign-up.ts';

/** The screens of the form, with a pattern of the fields on each. Values stay when the person moves between screens. */
const screens = [
  {
    name: 'Your company',
    fields:
      /^(?:companyLegalName|companyEmailDomain|employerIdentificationNumber|organizationIdentifiers|hipaaAffirmation)/,
  },
  { name: 'Address and customer service', fields: /^(?:companyAddress|customerService)/ },
  { name: 'People and password', fields: /^/ },
] as const;

const screenOf = (name: string) => screens.findIndex(({ fields }) => fields.test(name));

/** The code of the screens and the text of the affirmation, which are loaded after the page is shown. */
type Parts = readonly [typeof import('./organization-screens.tsx'), Agreement];

/** Sign-up page of payers and brokerage entities: one form on three screens. */
export default function SignUpOrganization() {
  const parts = useLater(async (): Promise<Parts> => {
    const [code, { agreements }] = await Promise.all([
      import('./organization-screens.tsx'),
      import('../../../lambdas/portal/catalog/agreements.ts'),
    ]);
    return [code, agreements.hipaaAffirmation];
  });
  const brokerage = useLocation().path.endsWith('/brokerage');
  if (parts === undefined) return <Progress words="Loading the form…" />;
  if (parts === 'failed') return <NotLoadedPage />;
  return <Screens key={String(brokerage)} developerType={brokerage ? 'brokerage' : 'payer'} parts={parts} />;
}

function Screens(props: { readonly developerType: 'payer' | 'brokerage'; readonly parts: Parts }) {
  const { developerType } = props;
  const [{ CompanyScreen, AddressScreen, PeopleScreen }, affirmation] = props.parts;
  const { form, check } = useSignUp(developerType, {
    'hipaaAffirmation.version': affirmation.version,
    'hipaaAffirmation.accepted': false,
  }) as { readonly form: FormState<OrganizationField>; readonly check: BotCheckField };
  const { query, path, route } = useLocation();
  // The screen is in the URL, so that the browser's Back button leads to the previous screen.
  const asked = Number(query.part ?? 1) - 1;
  const current = screens[asked] === undefined ? 0 : asked;
  useEffect(() => {
    // A URL of a later screen leads to the first screen if the form is empty.
    if (current > 0 && form.values.companyLegalName === undefined) route(path, true);
  }, []);
  const go = (to: number) => route(`${path}?part=${to + 1}`);
  const last = current === screens.length - 1;
  const Screen = [CompanyScreen, AddressScreen][current] ?? PeopleScreen;
  useEffect(() => {
    // A field that the API refuses may be on an earlier screen.
    const first = Math.min(...Object.keys(form.errors).map(screenOf));
    if (first < current) go(first);
  }, [form.failures]);
  const next = async (event: SubmitEvent) => {
    event.preventDefault();
    if (last) return await form.submit();
    if (await form.check((name) => screenOf(name) === current)) go(current + 1);
  };
  return (
    <Page
      title={`Sign up for a ${developerType} entity: ${screens[current]?.name.toLowerCase()}`}
      over={`Your details, part ${current + 1} of ${screens.length}`}
    >
      <SignUpSteps kind="organization" current={0} />
      <FormElement
        form={form}
        action={last ? 'Sign up' : 'Continue'}
        pending="Signing you up…"
        onSubmit={(event) => void next(event)}
        beside={
          current > 0 && (
            <button type="button" class="usa-button usa-button--unstyled" onClick={() => go(current - 1)}>
              Back
            </button>
          )
        }
      >
        <Screen form={form} developerType={developerType} affirmation={affirmation} />
        {/* The bot check continues while the screens change. */}
        <div hidden={!last}>
          <BotCheckStatus check={check} />
        </div>
      </FormElement>
    </Page>
  );
}
