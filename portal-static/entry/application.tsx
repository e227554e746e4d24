/** Entry point of the application page: renders the view of the current path. */

import { render } from 'preact';
import { PortalRoot } from '../application/application.tsx';

const root = document.getElementById('application');
if (root === null) throw new Error('the page has no place for the application');
// Removes the content that the HTML file shows until the script runs.
root.textContent = '';
render(<PortalRoot />, root);
