/** Spanish texts about other health plans that this plan asks for a member's data. */

import type { OtherPlansStrings } from './strings.ts';

export const spanishOtherPlans: OtherPlansStrings = {
  asked: 'Planes que reciben sus datos de nosotros',
  asking: 'Planes a los que pedimos sus datos',
  askingIntro:
    '¿Tuvo antes otro plan de salud, o le cubre otro plan ahora? Podemos pedirle sus datos: consultas, medicamentos, resultados de pruebas, reclamaciones. Pasan a ser parte de su expediente aquí, con una marca de que vienen de ese plan.',
  add: 'Permitir que pidamos a otro plan',
  states: {
    offered: (plan) =>
      `Puede permitir que pidamos sus datos a ${plan}. Solo los pedimos si usted está de acuerdo.`,
    'opted-in': (plan) => `Estamos averiguando dónde preguntar a ${plan}.`,
    'payer-known': (plan) => `Pronto preguntaremos a ${plan}.`,
    'match-sent': (plan) => `Preguntamos a ${plan} si tiene sus datos.`,
    matched: (plan) => `${plan} le encontró. Estamos pidiendo sus datos.`,
    'no-match': (plan) =>
      `${plan} no pudo encontrarle. Revise el número de miembro y el número de grupo de su tarjeta.`,
    constrained: (plan) =>
      `${plan} le encontró, pero no puede enviar sus datos. Llame a ${plan} para preguntar por qué.`,
    'export-sent': (plan) => `${plan} está preparando sus datos.`,
    downloaded: (plan) => `Llegaron sus datos de ${plan}. Los estamos revisando.`,
    merged: (plan) => `Sus datos de ${plan} están en su expediente.`,
    'due-again': (plan) => `Pronto volveremos a preguntar a ${plan}.`,
    revoked: (plan) => `No preguntamos a ${plan}. No llega nada nuevo de ese plan.`,
  },
  memberNumber: 'Número de miembro en la tarjeta de ese plan',
  groupNumber: 'Número de grupo en la tarjeta de ese plan',
  scope: 'Qué pedimos',
  scopes: {
    regular: 'Sus datos, sin los datos delicados',
    sensitive: 'Todos sus datos, con los datos delicados',
  },
  permitted: 'Usted lo permitió',
  permittedByPlan: 'Usted lo permitió al inscribirse',
  until: 'Termina',
  noEnd: 'Cuando usted lo detenga',
  chooseBy: 'Elija antes de',
  askBy: 'Preguntamos antes de',
  next: 'Volvemos a preguntar',
  received: 'Recibido',
  receivedOne: (day) => `${day}: 1 registro`,
  receivedMany: (day, records) => `${day}: ${records} registros`,
  change: (plan) => `Cambiar lo que pedimos a ${plan}`,
  allow: (plan) => `Permitir que pidamos a ${plan}`,
  stop: (plan) => `Dejar de pedir a ${plan}`,
  saved: (plan) => `Guardado. Pedimos sus datos a ${plan} como usted eligió.`,
  stopped: (plan) =>
    `Detenido. Ya no pedimos datos a ${plan}. Los datos que ya llegaron se quedan en su expediente.`,
  formTitle: 'Permitir que pidamos sus datos a otro plan',
  changeTitle: (plan) => `Lo que pedimos a ${plan}`,
  formIntro:
    'Damos al otro plan su nombre, fecha de nacimiento, sexo, dirección y los números de abajo, para que pueda encontrarle.',
  planName: 'Nombre del otro plan',
  planNameHint: 'Como está en la tarjeta, por ejemplo Plan de Salud Ejemplo.',
  memberNumberHint: 'Sin este número, quizá el otro plan no pueda encontrarle.',
  groupNumberHint: 'Si la tarjeta tiene uno.',
  coversLegend: '¿Le cubre este plan ahora?',
  covers: {
    yes: 'Sí. Preguntar ahora y cada tres meses',
    no: 'No, me cubría antes. Preguntar una vez',
  },
  scopeLegend: '¿Qué podemos pedir?',
  scopeHint:
    'Los datos delicados tratan de salud mental, consumo de sustancias, embarazo, VIH y otros temas que algunas leyes protegen más.',
  untilLabel: 'Último día de su permiso (si quiere uno)',
  untilHint: 'Déjelo vacío para que pidamos hasta que usted lo detenga.',
  submit: 'Permitir',
  save: 'Guardar',
  cancel: 'Cancelar',
  errors: {
    plan_missing: 'Escriba el nombre del otro plan.',
    plan_long: 'Escriba un nombre de 100 caracteres o menos.',
    number_malformed: 'Escriba solo letras, números, espacios y guiones, 40 como máximo.',
    covers_missing: 'Elija si el plan le cubre ahora.',
    scope_missing: 'Elija qué podemos pedir.',
    until_past: 'Escriba un día a partir de hoy, o déjelo vacío.',
    already: 'Ya permitió que pidamos a este plan. Cámbielo en la página anterior.',
    too_many: 'Ya nombró todos los planes a los que podemos preguntar. Detenga uno primero.',
    changed: 'Esto se cambió mientras tanto. Revise lo que está guardado ahora y guarde de nuevo.',
  },
  stopTitle: (plan) => `¿Dejar de pedir datos a ${plan}?`,
  stopHint:
    'Tiene efecto inmediato. No llega nada nuevo de ese plan. Los datos que ya llegaron siguen siendo parte de su expediente, con una marca de que vienen de ese plan.',
  stopNow: 'Dejar de pedir',
  keep: 'Seguir pidiendo',
  everything: 'Todos los datos dados y recibidos',
  everythingIntro:
    'Cada fila es una vez que se dieron datos a una aplicación o a un plan, o que llegaron de un plan. La más reciente está primero.',
  who: 'Quién',
  what: 'Qué',
  to: (name) => `A ${name}`,
  from: (plan) => `De ${plan}`,
  unknownPlan: 'un plan',
};
