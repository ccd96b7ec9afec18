/** The closed word classes that the rules use, as data. All lower case. */
const set = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Days and months, and their abbreviations: capitalised in English, and never names here. */
export const CALENDAR = set(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
  'mon tue tues wed thu thur thurs fri sat sun january february march april may june july august september october',
  'november december jan feb mar apr jun jul aug sep sept oct nov dec',
);

/**
 * Words that open a sentence or a note with a capital and are not names, although the tagger may report them as names.
 */
export const OPENERS = set(
  'yesterday today tomorrow tonight now then later next last first second third finally meanwhile also however therefore thus',
  'please thanks thank sorry hello hi hey dear ok okay yes no note notes todo fixme done wip fyi asap aob attn re fwd fw ps',
  'everything everyone everybody something someone nothing anything anyone anybody none each every some any all',
  'both many most more much few several another other others such what who whom whose which when where why how here there',
  'i we you he she it they me us him her them my our your his its their this that these those the a an and or but nor so yet',
  'if unless because since although though while until after before during despite maybe perhaps probably possibly apparently',
  'sometimes often usually always never rarely again still already just only even instead otherwise moreover',
  'action actions attendees present absent agenda decision decisions minutes owner status warning important caution tip',
  'question questions answer answers summary overview background context goal goals risk risks step steps example examples',
  'does do did is are was were be been being has have had can could will would shall should may might must let lets',
  'according due following regarding concerning about above below under over between among within without against toward',
  'one two three four five six seven eight nine ten once twice',
);

/**
 * Verbs that begin a note: "Call Rafael", "Move Orion tickets". Their capital at the start is not evidence of a name.
 */
export const IMPERATIVES = set(
  'add ask book build buy call cancel change check clean close confirm contact copy create delete deploy discuss draft drop',
  'email e-mail fetch find finish fix follow get give go help import install invite join keep launch learn leave let list look',
  'mail make meet merge message migrate move open order pay phone ping plan prepare publish push put read record remember',
  'remind remove rename renew replace reply report research restart review rewrite rotate run schedule see send set share ship',
  'show sign start stop submit switch sync talk tell test text thank track transfer try turn update upgrade upload use verify',
  'visit wait watch welcome work write',
);

/** Common abbreviations, roles, languages and nationalities: capitalised, but not names. */
export const NOT_NAMES = set(
  'ceo cto cfo coo cmo ciso cpo vp svp evp hr pr qa it ui ux pm po ai ml api apis pdf pdfs csv url urls uri html css xml json',
  'yaml http https ftp ssh tcp udp ip dns cpu gpu ram ssd usb faq kpi kpis okr okrs roi sla slo mvp poc rfc rfcs adr adrs pto',
  'tl dr tldr eod eow eta tbd tba nda gdpr q1 q2 q3 q4 h1 h2 am pm utc gmt cet est pst usd eur gbp id ids uuid sdk cli ide os pc tv',
  'mr mrs ms dr prof sir madam miss',
  'english german french spanish italian portuguese dutch danish swedish norwegian finnish polish czech russian ukrainian greek',
  'turkish arabic hebrew persian hindi chinese japanese korean vietnamese thai american british canadian australian european',
  'african asian mexican brazilian indian irish scottish welsh swiss austrian belgian hungarian romanian latin western eastern',
  'christmas easter',
);

export const TITLES = set('dr mr mrs ms miss prof professor sir madam dame lord lady rev fr');

/** Lower-case words inside names: "Ludwig van Houten", "Marie de la Cruz". */
export const PARTICLES = set('de la le van von der den del da dos das di du el al bin ibn ten ter zu y e');

/** Heads that take "of" into the name: "University of Trondheim". */
export const OF_HEADS = set(
  'university ministry department bank institute school college house museum church city republic kingdom office council',
  'board academy chamber court federation league union association society order bureau faculty centre center',
);

export const ORGANIZATION_WORDS = set(
  'inc corp corporation gmbh ltd llc llp plc ag kg sa srl bv nv oy ab co company labs lab team group holdings university',
  'college institute school academy bank capital partners ventures foundation association society agency ministry department',
  'council committee commission bureau hospital clinic media studios studio systems technologies technology tech solutions',
  'software robotics analytics logistics industries energy motors airlines airways pharma health healthcare foods consulting',
  'consultants insurance press publishing records church museum union alliance consortium federation league games works',
  'shipyards airport court police army parliament senate board office division',
);

export const PROJECT_WORDS = set('project initiative programme program mission operation rollout epic roadmap');
export const EVENT_WORDS = set(
  'summit conference forum congress symposium workshop meetup hackathon festival expo fair olympics convention retreat',
  'offsite webinar gala championship marathon',
);
export const CONCEPT_WORDS = set(
  'regulation act law directive theory theorem principle method model protocol standard treaty agreement charter river lake',
  'mountain street avenue road island park valley bay county',
);
export const TOOL_WORDS = set('api sdk cli db os framework engine browser editor');

/** Lower-case nouns that follow a name and classify it: "the Apollo project", "the Gridlock library". */
export const HEAD_NOUNS = {
  project: set('project initiative programme program mission rollout epic effort workstream proposal release backlog'),
  tool: set(
    'library tool service plugin parser importer exporter crawler scheduler daemon job worker editor app application database framework cluster server package module extension platform',
    'cli api client engine repo repository pipeline script prototype docs licence license queue dashboard dashboards sdk',
    'compiler linter browser bot model',
  ),
  organization: set(
    'company startup firm team agency department group board organization organisation foundation bank',
  ),
  event: set('conference summit event meetup workshop hackathon festival forum webinar'),
  person: set('family'),
  concept: set('region river valley district method theory'),
} as const;

/** Verbs whose subject is a person, used if no relation shows the type. */
export const PERSON_VERBS = set(
  'say tell ask thank reply answer explain suggest agree disagree think believe hope want like love hate know promise call email',
  'write present show give talk speak smile laugh sleep eat drink travel apologize complain remember forget feel draw cook read',
  'teach learn study drive walk commute retire recommend introduce treat share confirm note mention prefer worry volunteer',
);

export const HEDGES = set(
  'might may could would should can will shall must perhaps maybe possibly probably presumably apparently allegedly reportedly',
  'supposedly likely unlikely rumour rumor rumours rumors rumored rumoured seemingly hopefully potentially',
);
/** A sentence with one of these words only supposes its statements, wherever the word occurs. */
export const SENTENCE_HEDGES = set(
  'perhaps maybe possibly probably presumably apparently allegedly reportedly supposedly seemingly hopefully potentially',
  'rumour rumor rumours rumors rumored rumoured if unless whether suppose supposing assuming',
);
/** "I think", "we believe", "it seems": the verb makes the rest an opinion. */
export const OPINION_VERBS = set('think believe guess suppose assume suspect doubt seem appear wonder expect imagine');
/** Reported speech: the writer does not vouch for it. */
export const SPEECH_VERBS = set('say claim tell argue insist allege announce');

/** "hopes to join", "plans to move": the following action has not happened. */
export const INTENTION_VERBS = set(
  'hope plan want wish intend expect aim like love prefer try attempt agree decide promise offer need have consider propose ask',
  'go use',
);
/** "stopped working", "failed to join": the following statement does not hold. */
export const ENDING_VERBS = set('stop cease quit fail refuse decline');

export const NEGATIONS = set("not n't never neither nor cannot hardly without");
export const BE_FORMS = set("is are was were be been being am 's 're");
export const BECOME_FORMS = set('became become becomes becoming remains remained');

/** Function words, for detecting the language of a chunk. Words that several of these languages share are left out. */
export const ENGLISH_FUNCTION_WORDS = set(
  'the of and to in is are was were be been has have had for with on at by from that this these those it its as but or not they',
  'we he she you i his her their our my which who will would can could should about into after before over under because while',
  'if than then there what when where how all any some no an a do does did up out so also just more most other only every',
);
export const FOREIGN_FUNCTION_WORDS = set(
  'der das und ist nicht mit von den dem des ein eine einen einem einer auf für zu im sich auch wird wurde haben hat bei seit nach',
  'wir ich sie aus noch wie oder aber über vor zum zur sind siehe vom neue sehr nur',
  'el los las una del por para con desde hace está fue son pero más como sus antes que se lo al muy y su ayer',
  'le les une des est dans sur pour avec pas qui sont nous vous ils elle mais aux cette ses',
  'il gli di che non per della nel sono ed anche alla questo',
  'os em uma não com dos nas seu sua ao mais',
  'het een van niet voor zijn maar ook naar bij deze',
);
/** Capitalised words of other languages that are not names. */
export const FOREIGN_OPENERS = set(
  'der die das den dem ein eine wir ich sie er es siehe und im am zu el la los las un una lo le les il gli os as de het een en',
  'januar februar märz mai juni juli august oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
);
