import type { ConnectedAppsStrings } from './strings.ts';

export const spanishConnectedApps: ConnectedAppsStrings = {
  title: 'Aplicaciones con las que comparte',
  intro: 'Estas aplicaciones pueden ver sus datos ahora. Aquí puede detener cada una, en cualquier momento.',
  none: 'Ahora no comparte sus datos con ninguna aplicación.',
  stopped: (application) => `Dejó de compartir. ${application} ya no puede ver sus datos.`,
  shared: 'Qué puede ver',
  since: 'Desde',
  last: 'Última vez',
  never: 'Todavía no',
  notSince: (time) => `Ninguna vez desde el ${time}`,
  until: 'Termina',
  unknownApp: 'Una aplicación que ya no conocemos',
  open: (application) => `Abrir ${application}`,
  history: (application) => `Lo que ${application} ha visto`,
  historyTitle: (application) => `Lo que ${application} ha visto`,
  historyIntro:
    'Cada fila es una vez que la aplicación miró sus datos. La más nueva está primero. Un registro de sus reclamaciones es una reclamación, o un médico o una clínica que aparece en ella.',
  when: 'Cuándo',
  read: 'Qué',
  gotNothing: (group) => `${group}: ningún registro`,
  gotOne: (group) => `${group}: 1 registro`,
  gotMany: (group, records) => `${group}: ${records} registros`,
  nothingRead: 'Aquí la aplicación no ha recibido datos de nosotros.',
  older: 'Ver anteriores',
  back: 'Volver a todas las aplicaciones',
  stop: (application) => `Dejar de compartir con ${application}`,
  stopHint: 'Vale desde este momento. La aplicación puede guardar lo que ya recibió.',
  signOut: 'Salir',
  signedOut: 'Cerró su sesión.',
  signInIntro: (plan) =>
    `Entre para ver las aplicaciones que reciben sus datos de su ${plan}, y para detenerlas.`,
};
