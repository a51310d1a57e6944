/**
 * Words that most leaked passwords are made of, written in the form that `password-rules.ts` reduces a password to: lowercase letters
 * without digits and signs at the ends, with digits in the middle read as letters. `P4ssw0rd!23` is `password`.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
  aaron abcdef abcdefg abcdefgh access account action adidas admin administrator adobe airborne alexander alexis alice amanda america
  andrea andrew angel angela animal anthony apple april arsenal asdf asdfgh asdfghjkl ashley august austin autumn awesome baby babygirl
  backup bailey banana barcelona baseball basketball batman beautiful benjamin bitcoin blabla blessed blink blue bond boston brandon
  brooklyn bubbles buster butterfly california camaro captain carlos caroline carter casino cassie celtic champion changeit changeme
  charles charlie cheese chelsea chester chicago chicken chocolate christian christmas cisco claudia cocacola coffee company computer
  connect cookie corvette cowboys crystal daniel danielle database december default demo dennis diamond docker dolphin dragon dreamer
  eagles edward eminem emily enter estrella eternity everton extreme facebook falcon family father february ferrari fishing flower football
  forever forgot france frank freedom friday friend friends gabriel galaxy gandalf garfield george giants ginger girls google gordon
  grace guest guitar hacker hammer hannah hardcore harley heaven hello helloworld helpme hockey hotdog house hunter hydrant iceman
  iloveu iloveyou india internet isabella jackson jaguar january jasmine jason jennifer jessica jesus john johnny jonathan jordan
  joseph joshua july june junior justin karate kawasaki kevin killer kitty knight ladybug lakers laptop lauren letmein liberty linux
  lion liverpool loading login london loveme lovely lover loveyou lucky madison maggie manager manchester marina marine market
  martin master matrix matthew maverick melissa mercedes merlin metallica mexico michael michelle mickey midnight minecraft
  miss monday money monica monitor monkey monster morgan mother mountain music mustang mynoob mypassword naruto natalie nathan
  nicholas nicole nintendo nirvana november number october office oliver orange pacman panther parola pass passphrase password passwort
  passw pasword patrick peaches peanut pepper phoenix please pokemon police porsche postgres princess private purple qazwsx qazwsxedc
  qwaszx qwer qwert qwerty qwertyu qwertyuiop rachel raiders rainbow rangers rebecca remember richard robert rockstar rockyou root
  sakura samantha samsung samuel saturday school scooter scorpion secret secure security senha sentry september server service shadow
  silver slayer smokey snoopy soccer sommer sophie spider spiderman spring stargate starwars steelers stella steven student
  success summer sunday sunflower sunshine super superman superstar support sweet sysadmin system taylor temp temporary tennis teresa
  test tester testing thomas thunder tigers tigger tinkerbell titanic toor trustno ubuntu ultimate united user username vagrant
  vanessa victoria victory viper warrior welcome welcometo whatever william willow windows winner winter wizard wolf xavier
  yamaha yankees yellow zaqwsx zxcvbn zxcvbnm
`
    .trim()
    .split(/\s+/),
)
