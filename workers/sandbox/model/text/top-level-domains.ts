// The domains of countries, and those others that most hosts use. Source: iana.org/domains/root/db.
const COUNTRIES =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ' +
  'ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm ' +
  'gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb ' +
  'lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu ' +
  'nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx ' +
  'sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw рф';
const OTHERS =
  'com org net edu gov mil int arpa info biz name pro aero asia cat coop jobs mobi museum post tel travel xxx academy agency app art ' +
  'audio bank bar best bio blog business buzz cafe care cash center chat city click cloud club codes college community company cool ' +
  'dance date design dev digital direct directory domains earth education email energy engineering events exchange expert family fans ' +
  'farm fashion film finance fit fun fund fyi gallery game games gift global gold group guide health help host house icu inc institute ' +
  'international investments land law legal life limited link live llc lol loan ltd market marketing media money movie network news ' +
  'ninja one online page party photo photography photos pics place plus poker press productions properties pub rent report rest review ' +
  'reviews rocks run sale school science security services sexy shop shopping show site social software solutions space sport store ' +
  'stream studio style support systems tax team tech tips today tools top tours town trade training tube university vip video vision ' +
  'watch web website wedding wiki win work works world wtf xyz yoga zone москва рус онлайн сайт дети';

const ALL = new Set(`${COUNTRIES} ${OTHERS}`.split(' '));

/**
 * Whether the last label of a host name is a known top-level domain; the rarest are left out. One with only its first letter in upper case
 * begins a sentence instead: `Done.So`.
 */
export function isTopLevelDomain(label: string): boolean {
  const lower = label.toLowerCase();
  return ALL.has(lower) && (label === lower || label.slice(1) !== lower.slice(1));
}
