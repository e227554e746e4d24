/** Routes of the application pages, with the visitors who may see each. */

import type { PageRoute } from '../../app/page-route.ts';
import { sandboxRoutes } from '../sandbox/sandbox-page-routes.ts';

export const applicationsRoutes: readonly PageRoute[] = [
  { path: '/applications', access: 'developer', load: () => import('./list-page.tsx') },
  { path: '/applications/register', access: 'developer', load: () => import('./register-page.tsx') },
  { path: '/applications/:applicationId', access: 'developer', load: () => import('./application-page.tsx') },
  {
    path: '/applications/:applicationId/edit/:target',
    access: 'developer',
    load: () => import('./edit-page.tsx'),
  },
  {
    path: '/applications/:applicationId/attestation',
    access: 'developer',
    load: () => import('./attestation-page.tsx'),
  },
  {
    path: '/applications/:applicationId/credentials',
    access: 'developer',
    load: () => import('./credentials-page.tsx'),
  },
  { path: '/applications/:applicationId/calls', access: 'developer', load: () => import('./calls-page.tsx') },
  ...sandboxRoutes,
];
