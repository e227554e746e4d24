/** Parts of an exchange whose code is loaded when they are shown. */

import '../../app/kernel.ts';

export { JsonView } from '../../components/json-view.tsx';
export { Sample } from './samples.tsx';
