/** Table of the pages of the connected apps, which a function of their own serves. */

import { createPages } from '../authorize/page-routes.ts';
import {
  type ConnectedAppsServices,
  showConnectedApps,
  submitConnectedApps,
} from './connected-apps-endpoint.ts';

export const handleConnectedAppsPage = createPages<ConnectedAppsServices>([
  { method: 'GET', path: 'connected-apps', handle: showConnectedApps },
  { method: 'POST', path: 'connected-apps', handle: submitConnectedApps },
]);
