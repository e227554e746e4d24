/**
 * Imports the modules that nearly every view needs. The bundler makes a chunk for each set of views that share a file; because each view
 * imports all these modules, they become one chunk instead of twenty. A part that a view loads later imports this module itself: without it, the
 * chunk is cut in two.
 */
import 'preact-iso/lazy';
import 'preact-iso/router';
import '../api/portal-client.ts';
import '../components/alert.tsx';
import '../components/field.tsx';
import '../components/form.tsx';
import '../components/later.tsx';
import '../components/password-field.tsx';
import '../components/progress.tsx';
import '../components/steps.tsx';
import '../components/text-field.tsx';
import '../forms/schemas.ts';
import '../forms/use-form.ts';
import './kept-invitation.ts';
import './announcer.tsx';
import './page-layout.tsx';
import './return-path.ts';
import './session.tsx';
import './site.ts';
