/** Operators' page of what is to fix in the data of provider directories. */

import { useLocation } from 'preact-iso/router';
import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { findingWords } from '../../../lambdas/catalog/fhir/directory-findings.ts';
import { linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { DirectoryToFixView } from '../../../lambdas/portal/api/directory-views.ts';
import { call } from '../../api/portal-client.ts';
import { Alert, ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { Loaded, useAct, useRemote } from '../applications/remote.tsx';
import { Console, FilterSelect } from './console.tsx';
import { faultRules, mostFirst, publicationWords, rowWords } from './directory-model.ts';
import { jobPlace } from './job-model.ts';

/** The directories of all LOBs of an environment; the choice of the environment is in the address. */
export default function DirectoriesPage() {
  const { query, path, route } = useLocation();
  const { environment } = jobPlace(query);
  const remote = useRemote(
    () => call('GET /api/operations/directories/{environment}', { path: { environment } }),
    environment,
  );
  return (
    <Console
      title="Directories to fix"
      path={path}
      lead="What the last load and the last build found wrong or missing in the provider data, by line of business."
    >
      <div class="filter">
        <FilterSelect
          label="Environment"
          value={environment}
          options={environments.map((value) => ({ value, label: value }))}
          onChoose={(chosen) => route(`${path}?environment=${chosen}`, true)}
        />
      </div>
      <Loaded remote={remote} words="Loading directories…">
        {({ directories }) => (
          <>
            {directories.map((directory) => (
              <Directory
                key={`${environment} ${directory.lob}`}
                directory={directory}
                environment={environment}
              />
            ))}
          </>
        )}
      </Loaded>
    </Console>
  );
}

function Directory(props: { readonly directory: DirectoryToFixView; readonly environment: Environment }) {
  const { directory, environment } = props;
  const { lob, lastBuild, publication, findings, load } = directory;
  return (
    <section aria-labelledby={lob}>
      <h2 id={lob}>
        {lob} <span class="quiet">{linesOfBusiness[lob].name}</span>
      </h2>
      {lastBuild !== undefined && lastBuild.state !== 'published' && lastBuild.state !== 'running' && (
        <Alert kind="warning" title="The last build published nothing">
          <p>
            It began <Time at={lastBuild.startedAt} />.{' '}
            {lastBuild.reasons.map(({ message }) => message).join(' ')}
            {publication !== undefined && ' The publication before it is still served.'}
          </p>
        </Alert>
      )}
      <p>
        {publicationWords(directory)}
        {publication !== undefined && (
          <>
            {' '}
            Published <Time at={publication.publishedAt} />.
          </>
        )}
      </p>
      {findings.length > 0 && <Findings directory={directory} />}
      {findings.length > 0 && <Download environment={environment} lob={lob} />}
      {load !== undefined && <Load load={load} lob={lob} />}
    </section>
  );
}

function Findings({ directory: { lob, findings } }: { readonly directory: DirectoryToFixView }) {
  return (
    <DataTable
      caption={`Faults of the published records of ${lob}`}
      columns={['Fault', 'Type', 'Records', 'Examples', 'Rule']}
      rows={mostFirst(findings).map(({ type, code, records, examples }) => ({
        key: `${type} ${code}`,
        cells: [
          findingWords[code],
          type,
          records.toLocaleString('en-US'),
          examples.length === 0 ? (
            '–'
          ) : (
            <ul key="examples" class="examples">
              {examples.map(({ resource, message }) => (
                <li key={resource}>
                  <code>{resource}</code> {message}
                </li>
              ))}
            </ul>
          ),
          <span key="rule">
            {faultRules[code].text} <a href={faultRules[code].href}>{faultRules[code].source}</a>
          </span>,
        ],
      }))}
    />
  );
}

/** Downloads all findings; the address is requested at the press, because it is valid for a quarter of an hour. */
function Download(props: { readonly environment: Environment; readonly lob: DirectoryToFixView['lob'] }) {
  const { run, busy, problem } = useAct();
  const download = async () => {
    const outcome = await run(() =>
      call('GET /api/operations/directories/{environment}/{lob}/findings', { path: props }),
    );
    if (outcome?.ok === true) location.assign(outcome.value.url);
  };
  return (
    <>
      <p>
        <button
          type="button"
          class="usa-button usa-button--outline"
          aria-disabled={busy}
          onClick={() => void download()}
        >
          Download all faults of {props.lob} as CSV
        </button>
      </p>
      {problem !== undefined &&
        (problem.code === 'not_found' ? (
          <Alert kind="info" title="There is no CSV of this publication yet">
            <p>The next build of the directory writes one.</p>
          </Alert>
        ) : (
          <ProblemAlert problem={problem} />
        ))}
    </>
  );
}

const loadTags: Readonly<Record<string, readonly ['waiting' | 'good' | 'bad' | 'neutral', string]>> = {
  accepted: ['waiting', 'Waits'],
  running: ['waiting', 'Running'],
  reconciled: ['good', 'Reconciled'],
  'not-reconciled': ['bad', 'Not reconciled'],
  failed: ['bad', 'Failed'],
  cancelled: ['neutral', 'Cancelled'],
};

function Load(props: {
  readonly load: NonNullable<DirectoryToFixView['load']>;
  readonly lob: DirectoryToFixView['lob'];
}) {
  const { jobId, source, state, acceptedAt, rows, rejected, refusedFiles, rejects, readRejects } = props.load;
  const [kind, name] = loadTags[state] ?? ['neutral', state];
  const files = refusedFiles.map(({ name: file, problem, fix }) => ({
    key: file,
    cells: [problem, 'the whole file', file, fix],
  }));
  const codes = rejects.map(({ code, problem, fix, rows: rowCount, examples }) => ({
    key: code,
    cells: [
      problem,
      rowCount.toLocaleString('en-US'),
      <ul key="examples" class="examples">
        {examples.map((example) => (
          <li key={`${example.file} ${example.line}`}>{rowWords(example)}</li>
        ))}
      </ul>,
      fix,
    ],
  }));
  return (
    <>
      <p>
        Last load: <code>{jobId}</code> of {source}, accepted <Time at={acceptedAt} />.{' '}
        <Tag kind={kind}>{name}</Tag> {rejected.toLocaleString('en-US')} of {rows.toLocaleString('en-US')}{' '}
        rows were not loaded.
        {readRejects !== undefined &&
          ` The table counts the first ${readRejects.toLocaleString('en-US')} of them; loads rejects prints all.`}
      </p>
      {files.length + codes.length > 0 && (
        <DataTable
          caption={`Rows of the last load of ${props.lob} that were not loaded`}
          columns={['Fault', 'Rows', 'Examples', 'Fix']}
          rows={[...files, ...codes]}
        />
      )}
    </>
  );
}
