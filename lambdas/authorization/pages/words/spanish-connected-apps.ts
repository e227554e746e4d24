/** Spanish texts of the connected-apps pages. */

import type { ConnectedAppsStrings } from './strings.ts';

export const spanishConnectedApps: ConnectedAppsStrings = {
  title: 'Aplicaciones y planes con los que comparte',
  apps: 'Aplicaciones',
  intro:
    'Estas aplicaciones pueden ver sus datos ahora. Puede dejar de compartir con una aplicación en cualquier momento.',
  none: 'No comparte sus datos con ninguna aplicación.',
  stopped: (application) => `Dejó de compartir. ${application} ya no puede ver sus datos.`,
  whose: 'De quién son los datos',
  sharedBy: 'Los comparte',
  sharedByOne: (name, kind) => `${name}, su ${kind}`,
  shared: 'Qué puede ver',
  since: 'Desde',
  last: 'Última consulta',
  never: 'Todavía no',
  notSince: (time) => `Ninguna consulta desde el ${time}`,
  until: 'Termina',
  unknownApp: 'Una aplicación que ya no está registrada',
  open: (application) => `Abrir ${application}`,
  history: (application) => `Datos que ${application} ha consultado`,
  historyTitle: (application) => `Datos que ${application} ha consultado`,
  historyIntro:
    'Cada fila es una vez que la aplicación consultó sus datos. La más reciente está primero. Un registro de reclamaciones es una reclamación, o un médico o una clínica que aparece en ella.',
  when: 'Cuándo',
  read: 'Datos consultados',
  gotNothing: (group) => `${group}: ningún registro`,
  gotOne: (group) => `${group}: 1 registro`,
  gotMany: (group, records) => `${group}: ${records} registros`,
  nothingRead: 'No hay registros para mostrar.',
  older: 'Ver anteriores',
  back: 'Volver a aplicaciones y planes',
  stop: (application) => `Dejar de compartir con ${application}`,
  stopTitle: (application) => `¿Dejar de compartir con ${application}?`,
  stopHint: 'Tiene efecto inmediato. La aplicación puede conservar los datos que ya tiene.',
  stopNow: 'Dejar de compartir',
  keep: 'Seguir compartiendo',
  shareAgain: (application) =>
    `Puede volver a compartir en cualquier momento. Abra ${application} y elija obtener datos de su plan de salud.`,
  signOut: 'Cerrar sesión',
  signedOut: 'Cerró su sesión.',
  signInIntro: (plan) =>
    `Inicie sesión para ver qué aplicaciones y planes reciben datos de su ${plan} y para dejar de compartir. También puede permitir que pidamos sus datos a otro plan.`,
};
