/** Parts of the review page about what was submitted: differences, sandbox calls, attestation, configuration. */

import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import { screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import type { CallView } from '../../../lambdas/portal/api/views.ts';
import { applicationTypes } from '../../../lambdas/portal/catalog/application-states.ts';
import { isCallAskedFor } from '../../../lambdas/portal/catalog/asked-for-calls.ts';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { Later } from '../../components/later-part.tsx';
import { screenTitles } from '../applications/fields-model.ts';
import { DifferenceTable } from '../applications/value-lines.tsx';
import { FoldedPart } from './folded-part.tsx';
import { differencesOf, differenceWords } from './review-model.ts';

interface ViewProps {
  readonly view: OperatorApplicationView;
}

/** The differences since an operator last decided; open where there are some. */
export function DifferencesPart({ view }: ViewProps) {
  const { approved, submission } = differencesOf(view);
  const lines = [
    ...(approved === undefined ? [] : [['To what is approved', approved] as const]),
    ...(submission === undefined ? [] : [['Since the last submission', submission] as const]),
  ];
  if (lines.length === 0)
    return <FoldedPart title="Differences" state="None: this is the first submission." />;
  return (
    <FoldedPart
      title="Differences"
      state={lines.map(([name, differences]) => (
        <p key={name}>
          {name}: {differenceWords(differences)}
        </p>
      ))}
      open={lines.some(([, differences]) => differences.length > 0)}
    >
      {approved !== undefined && (
        <DifferenceTable
          caption="Changes to the approved configuration"
          before="Approved"
          after="Proposed"
          differences={approved}
        />
      )}
      {submission !== undefined && (
        <DifferenceTable
          caption="Changes since the last submission"
          before="Last submission"
          after="Now"
          differences={submission}
        />
      )}
    </FoldedPart>
  );
}

export function AttestationPart({ view: { attestation } }: ViewProps) {
  return (
    <FoldedPart
      title="Attestation"
      state={
        attestation === undefined ? (
          <>
            <Tag kind="waiting">Not attested</Tag> Members are warned. It alone is no reason to reject (42 CFR
            422.119).
          </>
        ) : (
          <>
            <Tag kind="good">Attested</Tag> {attestation.by}, <Time at={attestation.at} />, version{' '}
            {attestation.textVersion}
          </>
        )
      }
    />
  );
}

/** The configuration: the name that members see and the kind of application in its line, and every value behind it. */
export function ConfigurationPart(props: ViewProps & { readonly configuration: ApplicationConfiguration }) {
  const { view, configuration } = props;
  const { displayName, description, applicationType, grantType, products, linesOfBusiness } = configuration;
  const kind = [
    applicationTypes[applicationType].name,
    grantType,
    products.map((product) => interfaceFamilies[product].name).join(' and '),
    linesOfBusiness.join(' '),
  ];
  return (
    <FoldedPart
      title={view.change === undefined ? 'Submitted configuration' : 'Proposed configuration'}
      state={
        <>
          <p>
            <strong>{displayName ?? configuration.applicationName}</strong>
            {description !== undefined && `: ${description}`}
          </p>
          <p class="quiet">{kind.join(', ')}</p>
        </>
      }
    >
      <Later load={() => import('../applications/configuration-facts.tsx')} words="Loading the values…">
        {({ ConfigurationFacts }) =>
          screenNames.map((screen) => (
            <section key={screen} aria-label={screenTitles[screen].title}>
              <h3>{screenTitles[screen].title}</h3>
              <ConfigurationFacts screen={screen} configuration={configuration} />
            </section>
          ))
        }
      </Later>
    </FoldedPart>
  );
}

export function EvidencePart({ view }: ViewProps) {
  const { products, grantType } = view.sandbox.configuration;
  return (
    <FoldedPart
      title="Tested in the sandbox"
      state={
        <>
          {products.map((product) => {
            const seen = view.evidence.find((one) => one.product === product);
            const without = isCallAskedFor(product, grantType)
              ? 'no successful call'
              : 'only back-end services can call it, no call needed';
            return (
              <p key={product}>
                {interfaceFamilies[product].name}:{' '}
                {seen === undefined ? (
                  without
                ) : (
                  <>
                    {seen.lob}, <Time at={seen.at} />
                  </>
                )}
              </p>
            );
          })}
          <p>Different in production: {differenceWords(view.sandboxDifference)}</p>
        </>
      }
    >
      <DifferenceTable
        caption="Production compared with sandbox"
        before="Sandbox"
        after="Production"
        differences={view.sandboxDifference}
      />
      <DataTable
        caption="Successful calls"
        columns={['Product', 'LOB', 'Time', 'Route', 'Request ID']}
        rows={view.evidence.map(({ product, lob, at, route, requestId }) => ({
          key: product,
          cells: [
            interfaceFamilies[product].name,
            lob,
            <Time key="at" at={at} />,
            <code key="route">{route}</code>,
            <code key="id">{requestId}</code>,
          ],
        }))}
        empty="There is no successful call."
      />
      <DataTable
        caption="Latest sandbox calls"
        columns={['Time', 'LOB', 'Route', 'Status', 'Request ID']}
        rows={view.sandboxCalls.map(callRow)}
        empty="There are no sandbox calls."
      />
    </FoldedPart>
  );
}

function callRow(one: CallView) {
  return {
    key: `${one.requestId} ${one.at}`,
    cells: [
      <Time key="at" at={one.at} />,
      one.lob ?? '–',
      <code key="route">
        {one.method} {one.route}
      </code>,
      <Tag key="status" kind={one.status < 400 ? 'good' : 'bad'}>
        {one.status}
      </Tag>,
      <code key="id">{one.requestId}</code>,
    ],
  };
}
