/** Names of the page "Find a doctor": a file of its own, so that its function holds no table of all pages. */

/** Path of the page "Find a doctor", which the function `portal-directory` serves. */
export const findADoctorPath = '/find-a-doctor';
/** Name of the secret with the page's subscription keys, by environment: an operator's command writes it. */
export const directoryKeysSecretName = 'member-data-portal-directory-keys';
/** Path of the frame that the function `portal-directory` puts "Find a doctor" into. */
export const framePath = '/find-a-doctor/frame';
/** Element of the frame that the page takes the place of. */
export const frameMarker = '<div id="find-a-doctor"></div>';
/** Title of the frame, which the function replaces by that of the search. */
export const frameTitle = 'Find a doctor';
