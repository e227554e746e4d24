import { describe, expect, it } from 'vitest';
import { AssemblyError } from '../../local/assembly/assembly-error.ts';
import { assemblyOf, type Resource } from '../../local/assembly/resources.ts';
import { cloudWatch } from '../../local/cloudwatch/cloudwatch.ts';
import { metricsPage } from '../../local/metrics-page.ts';

const clock = { now: Date.UTC(2026, 10, 28, 2, 30) };
const now = () => clock.now;

function resource(type: string, properties: Resource['properties'], environment = 'sandbox'): Resource {
  const id = `${type}${environment}`;
  const place = { stack: `${environment}-Monitoring`, environment, account: '1', region: 'us-east-1' };
  return { ...place, logicalId: id, type, properties, physicalId: id, arn: id, dependsOn: [] };
}

const metric = (title: string, metrics: unknown, period = 60) => ({
  type: 'metric',
  properties: { title, metrics, period, yAxis: { left: { label: 'calls' } } },
});

const dashboard = (environment: string, query = 'filter status >= 400 | stats count(*) as calls by host') =>
  resource(
    'AWS::CloudWatch::Dashboard',
    {
      DashboardName: `member-data-${environment}`,
      DashboardBody: JSON.stringify({
        widgets: [
          { type: 'text', properties: { markdown: '# Title' } },
          metric('Calls: how many?', [
            [
              'AWS/ApiGateway',
              'Count',
              'ApiName',
              'dsnp',
              'Stage',
              environment,
              { stat: 'Sum', label: 'DSNP' },
            ],
            [
              'AWS/ApiGateway',
              'Count',
              'ApiName',
              'mapd',
              'Stage',
              environment,
              { stat: 'Sum', label: 'MAPD' },
            ],
          ]),
          metric(
            'Cost: how much?',
            [
              [{ expression: '(FILL(a, 0) + FILL(b, 0)) * 4.1', label: 'Calls' }],
              [
                'AWS/ApiGateway',
                'Count',
                'ApiName',
                'dsnp',
                'Stage',
                environment,
                { id: 'a', stat: 'Sum', visible: false },
              ],
              [
                'AWS/ApiGateway',
                'Count',
                'ApiName',
                'none',
                'Stage',
                environment,
                { id: 'b', stat: 'Sum', visible: false },
              ],
            ],
            86_400,
          ),
          { type: 'log', properties: { title: 'Refusals: why?', query: `SOURCE 'access' | ${query}` } },
        ],
      }),
    },
    environment,
  );

const saved = resource('AWS::Logs::QueryDefinition', {
  Name: 'member-data-sandbox/One <call>',
  QueryString: 'fields host\n| filter requestId = "REQUEST-ID"',
  LogGroupNames: ['access'],
});

const lines = [
  { host: 'dsnp', status: '403', requestId: 'r-1' },
  { host: 'mapd', status: '200', requestId: 'r-2' },
];

function pageOf(...resources: readonly Resource[]) {
  const watch = cloudWatch({ assembly: assemblyOf(resources), now, tell: () => {} });
  const deps = {
    watch,
    alarms: watch.alarms,
    readLog: () => lines.map((each) => ({ timestamp: now(), message: JSON.stringify(each) })),
    now,
  };
  const show = (parameters = '') => metricsPage(deps, new URLSearchParams(parameters)) ?? '';
  return { publish: watch.publish, show };
}

const count = ['AWS/ApiGateway', 'Count', { ApiName: 'dsnp', Stage: 'sandbox' }] as const;

describe('the page of metrics', () => {
  it('draws the values of the last hour, and says of each line its last and highest', () => {
    const { publish, show } = pageOf(dashboard('sandbox'));
    for (const [minutes, calls] of [
      [0, 900],
      [2, 2],
      [1, 7],
      [57, 4],
    ] as const) {
      clock.now += minutes * 60_000;
      publish(...count, calls);
    }
    clock.now += 60_000;
    const page = show();
    expect(page).toContain('DSNP: 4, highest 7');
    expect(page).toContain('MAPD: none');
    expect(page).toContain('aria-label="Calls: how many? 1 of 2 lines have values; they are listed below."');
    expect(page).toMatch(/<path class="line0" d="M0 \S+h0\.01L10\.2 \S+M589\.8 \S+h0\.01"/);
  });

  it('reckons costs with hosts that had no call, and says that they are of an hour', () => {
    const { publish, show } = pageOf(dashboard('sandbox'));
    publish(...count, 10);
    expect(show()).toContain('<p>calls, of the last hour only:</p><ul><li>Calls: 41</li></ul>');
  });

  it('shows the results of queries, and runs a saved one with the text that a person gives', () => {
    const { show } = pageOf(dashboard('sandbox'), saved);
    expect(show()).toContain('<tr><td>dsnp</td><td>1</td></tr>');
    expect(show()).not.toContain('<td>mapd</td>');
    const link = show().match(/\/metrics\?dashboard=sandbox&amp;query=[^"]*/)?.[0] ?? '';
    const parameters = link.replace('/metrics?', '').replaceAll('&amp;', '&');
    expect(show(parameters)).toContain('<label for="value">REQUEST-ID</label>');
    expect(show(parameters)).not.toContain('Result');
    expect(show(`${parameters}&value=r-2`)).toContain('<tr><td>mapd</td></tr>');
    expect(show(`${parameters}&value="<b>`)).not.toContain('"<b>');
  });

  it('has a page for each environment, and none for others', () => {
    const { show } = pageOf(dashboard('sandbox'), dashboard('production'));
    expect(show('dashboard=production')).toContain('<h1>Metrics of production</h1>');
    expect(show('dashboard=other')).toBe('');
    expect(show('query=none')).toBe('');
  });

  it('does not start with a query that it can not run, and names the resource', () => {
    expect(() => pageOf(dashboard('sandbox', 'parse @message "x"'))).toThrow(AssemblyError);
    expect(() => pageOf(dashboard('sandbox', 'parse @message "x"'))).toThrow(
      'stack sandbox-Monitoring: AWS::CloudWatch::Dashboardsandbox: the query parse @message "x" is not known on one machine',
    );
  });
});
