/** Routes of the operators' console, with the visitors who may see each. */

import type { PageRoute } from '../../app/page-route.ts';

export const operationsPages: readonly PageRoute[] = [
  { path: '/operations', access: 'operator', load: () => import('./queue-page.tsx') },
  { path: '/operations/applications', access: 'operator', load: () => import('./applications-page.tsx') },
  {
    path: '/operations/applications/:applicationId',
    access: 'operator',
    load: () => import('./application-page.tsx'),
  },
  { path: '/operations/accounts', access: 'operator', load: () => import('./accounts-page.tsx') },
  { path: '/operations/accounts/:accountId', access: 'operator', load: () => import('./account-page.tsx') },
  { path: '/operations/acts', access: 'operator', load: () => import('./acts-page.tsx') },
  { path: '/operations/fixes', access: 'operator', load: () => import('./fixes-page.tsx') },
  { path: '/operations/jobs', access: 'operator', load: () => import('./jobs-page.tsx') },
  {
    path: '/operations/jobs/:environment/:lob/:jobId',
    access: 'operator',
    load: () => import('./job-page.tsx'),
  },
];
