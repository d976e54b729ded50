//! What GNU sed 4.9 did, rule by rule. `␣` is a blank, `⏎` a newline, `⟨..⟩` bytes in hex, `¶` stands between pieces of `-e`.

/// Scripts before a line `w out`, unless they hold one themselves.
pub(crate) struct Group {
    pub(crate) options: &'static [&'static str],
    pub(crate) locale: &'static str,
    /// sed gets to that line and writes `out`.
    pub(crate) reached: &'static str,
    /// The script is refused, or the line is text.
    pub(crate) unreached: &'static str,
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        options: &[],
        locale: "C",
        reached: r##"
            s1a1\11w␣out s&a&\&&w␣out s/\(a\)/\1/ s/\(a\)\(b\)/\2\0/ s/a/\\1/ s/a\n[b]// s/\c\\(// y/\x41/a/
            y/\x5c/a/ y/\d065\o101\x41/abc/ y/\d0651/ab/ y/\o1011/ab/ y/\x411/ab/ y/\xg/ab/ y/\dg/ab/ y/\og/ab/
            y/\d65g/ab/ y/\o7g/ab/ y/\o8/ab/ y/\cA/a/ y/\c\\/a/ y/\a\f\v\r\t\n/abcdef/ /a\{1\}/p /a\{,\}/p /a\{,2\}/p
            /a\{1,2\}/p /a\{2,\}/p /a\{2,2\}/p /*/p /a*\+/p /\(*a\)/p /^*/p /a\|*/p /)/p /(/p /a\?/p /\?/p /\<*/p
            /a$*/p /\(a$\)*/p /$*/p /$\{2\}/p /a$\{2\}/p /a^\{2\}/p /\\/p /[]]/p /[^]]/p /[a-a]/p /[a-]/p /[-a]/p
            /[+--]/p /[--a]/p /[%--+]/p /[Z-a]/p /[a-Z]/Ip /[[.a.]-c]/p /[[=a=]]/p /[:a]/p /[a:]/p /[::]/p /[:a-b:]/p
            /[:a[:alpha:]:]/p /[:]/p 0,/a/p 0~2p 0r␣x 10,/a/p ~0p 1,+1p 1,~1p 1,~0p 1,0p 1␣~␣2␣,␣+␣3␣!␣p $p;$!p;1,$p;
            /a/I␣M␣p //p s//x/ \,a,p {1p} { {{}};{};w␣out 1q q5 q␣5␣;w␣out l5;L␣5 e␣x T␣x R␣x W␣x 1,2a\⏎x 1,2i\⏎x
            1,2l 1,2c\⏎x 1,2= 1,2r\⏎x {=} {d} {D} {F} {g} {G} {h} {H} {n} {N} {p} {P} {x} {z} bx b b␣;w␣out :␣a⏎ba
            :a;ba;w␣out :a;bb;w␣out ta;:a Ta;:a {:a};ba :a␣w␣out⏎ba :a#⏎ba;w␣out v v␣4.2 v␣4.9 v␣4.8.9 v␣4.09 v␣4.
            v␣3.99 v␣04.9 v␣4.1 v␣4 s/a/b/12 s/a/b/10 s/a/b/gp1iImMe s/a/b/␣g␣p {s/a/b/} s/a/b/#x s/a/b/ii
            s/a/b/g;w␣out s/a\nb/c/ s\a\b\w␣out y/a/b/;w␣out y/a\/b/xyz/ y/a\\/bc/ y/a\⏎b/xyz/ y/a\nb/xyz/ a a\⏎x
            a␣x\\ a\x a\␣ a\\ $!{a␣x⏎} 1{a␣x} a␣\c\d r␣x #n #a\
            s⟨c3⟩a⟨c3⟩b⟨c3⟩w␣out s⟨a9c3a9⟩b⟨a9⟩w␣out y/é/ab/ /[é]/p /[⟨c3⟩-⟨c4⟩]/p s/a/b/⟨0d⟩ ⟨0b0c0d09⟩␣;p p␣⟨09⟩;
            a␣x¶w␣out a\¶x¶w␣out {¶}⏎w␣out 1e\¶true⏎w␣out
            s1a1\11 s(\((x( s{a\{b{x{ s,a\,b,\,, s)\))x) s&a&\&& s+a\+*+x+ s+a\+\{2\}+x+ s*a\**x* s|a\|*|x|
            s1\(a\)\11x1 /\x5c\x5c/p s/a/\x5c1/ s/a/\d0921/ s/a\x26/&/ y/\x5c\x5c/ab/ y/\x5cn/ab/ /\x2a\x2a/p /\x28/p
            /\cA\cb/p
            /[a]\x5d/p
            /a|\{2\}/p /a\{5000\}/p /a\{5000,\}/p /a\{9,10\}/p /a\{1\}b/p /[*]/p /\(a\)\{2\}\1/p /\(a\)*\1/p
            /a\|\(b\)\1/p /\(a\|b\)\1/p /[a]\{2\}/p /.\{2\}/p /\w\{2\}/p /\n\{2\}/p
            1~0p s/a/b/⟨0d⟩⏎ s/a/b/p⟨0d⟩ /a/,0p 0~1,2p
        "##,
        unreached: r##"
            s/a/\1/ s/\(a\)/\2/ s/a/\9\0/ s/[\x41-\x40]// s/\x5b// y/\x41/ab/ /a\{1/p /a\{\}/p /a\{2,1\}/p
            /a\{32768\}/p /a\{1,32768\}/p /a\{1,2,3\}/p /a\{x\}/p /\{1\}/p /a**/p /a*\{2\}/p /a\+*/p /\(/p /\)/p
            /\b\{2\}/p /^\{2\}/p /\(^\{2\}\)/p /a\|^\{2\}/p /[]/p /[^]/p /[b-a]/p /[a-b-c]/p /[a--]/p
            /[Z-a]/Ip /[a-Z]/p /[[:alpha:]-z]/p /[a-[:alpha:]]/p /[[:foo:]]/p /[[.c.]-a]/p /[[.ab.]]/p /[[.space.]]/p
            /[[=ab=]]/p /[[=a=]-c]/p /[a-[=c=]]/p /[:space:]/p /[:space:]a/p /[^:space:]/p 0p 0!r␣x 0,3r␣x
            18446744073709551616p +1p ~1p 1,p 1!!p 1!␣!p //Ip s//x/I s//x/M \⏎a⏎p 1#x 1:a {p⏎1} } 1,2q 1,2Q q5x F␣x
            v␣x z␣x L␣x Q␣x =␣;=} =x d␣;d} dx D␣;D} Dx F␣;F} Fx g␣;g} gx G␣;G} Gx h␣;h} hx H␣;H} Hx n␣;n} nx N␣;N} Nx
            p␣;p} px P␣;P} Px x␣;x} xx z␣;z} zx : v␣4.10 v␣5 v␣4.9.1 v␣4.a v␣10 v␣a v␣4.90 v␣4.9a v␣40 s/a/b/gg
            s/a/b/pp s/a/b/1␣2 s/a/b/0 s/a/b/x s/a/b/} s/a⏎b/c/ s⏎anbn y/ab/c/ y/a/b/x y/a⏎b/xyz/ a␣x\ a\\\ r w R k
            1,2,3p 1;p 1
            \¶w␣out s¶w␣out s/a/b¶w␣out a¶w␣out a␣¶w␣out y/é/a/ /[⟨c4⟩-⟨c3⟩]/p s/a/b/⟨0d⟩w␣out p⟨0b⟩ ⟨c3⟩p a␣x\¶w␣out
            a\⏎x\¶y\¶w␣out
            s/\x5c(// /\x5c/p /a\x5c{2/p /a\x2a*/p /a\d042*/p
            /[\x41-\x40]/p /[[:alpha:]\x41-\x40]/p /[.a]\x5b/p
            /a\{1}/p /a\{1}\}/p /a\{1\,2\}/p /a\{1\a\}/p /a\{1\}*/p /a\{1\}\{2\}/p /[\]\(/p /a\{300,299\}/p
            /\(a\)\|\(b\)\1/p
            0~0p 0~p s⏎a⏎b⏎ s/a/b/⟨0d⟩p 0,~1p
        "##,
    },
    Group {
        options: &["-E"],
        locale: "C",
        reached: r##"
            /()/p /a**/p /a{1}{2}/p /a{1}/p /a\{x/p /(a)\1/p /(a)|(b)\2/p /((a)|b)\2/p /(a)(b)\2\1/p
            /(a)(b)(c)(d)(e)(f)(g)(h)(i)\9/p /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\9/p /\+/p /a\+*/p
            s+a\+*+x+ s1(a)\11x1 /\x5c(/p
            /\)/p /(a\))/p /\|*/p /a\|+/p /[(]/p /a{1}*/p /a+*/p /a{,2}/p /a{1,2}}/p /a|b|/p /(|a)/p /a||b/p
            /(a|)*/p /a{,}/p /\{1}/p /\(a/p
        "##,
        unreached: r##"
            /(/p /)/p /*/p /+/p /a|*/p /(*a)/p /^*/p /a{1/p /{1}/p /a{x/p /\1(a)/p /(a\1)/p /(a)|\1/p /((a)|b\2)/p
            /(a)(b)(c)(d)(e)(f)(g)(h)\9/p
            s(\((x( s|a\|*|x| s)\))x) s{a\{b{x{ s?\??x? /\x28/p /a\x7b/p
            /$*/p /a$*b/p /a$+/p /a{1\}/p /a{1,2/p /\<*/p /\b+/p /a{2,1}/p /a{}/p
        "##,
    },
    Group {
        options: &["--posix"],
        locale: "C",
        reached: r##"
            /a\|*/p /a\+*/p /\)/p s/a/\1/ l 1,2c\⏎x a\⏎x a\x s/a/b/gp
            /[\x41-\x40]/p /[[:alpha:]\x41-\x40]/p /[[.a.]\x41-\x40]/p /[[=a=]\x41-\x40]/p /[a[:alpha:]\x41-\x40]/p
            /[.a]\x5b/p /[a]\x5d/p
            /\t[[.a.]]\x5b/p /\t[[:alpha:]]\x5b/p /\t[[.a.]\x41-\x40]/p /\t[[=a=]]\x5b/p /\t[[.a.]b]\x5b/p
            /\t[[:alpha:]b]\x5b/p /\t[a[:alpha:]]\x5b/p
            /a\|\{2\}/p /\<\{2\}/p /\+\{2\}/p /a\?*/p /\w\{2\}/p /\(a\)\1/p /\`*/p
        "##,
        unreached: r##"
            /a*\{2\}/p /\<*a**/p 0,/a/p 0r␣x 1,+1p 1~2p 1,~2p /a/Ip /a/Mp q5 l5 e F v z L Q T R W 1,2a\⏎x 1,2i\⏎x 1,2l
            1,2= 1,2r\⏎x a␣x s/a/b/I s/a/b/M s/a/b/e v␣4.2⏎a␣x
            a\⏎x\¶w␣out
            /[a]\x5b/p /[]\x41-\x40]/p /[]a]\x5b/p /[a:]\x5b/p /[[:alpha:]]\x5b/p /[[.].]\x41-\x40]/p /[[.].]]\x5b/p
            /[:alpha:]\x5b/p /[a.]\x5b/p /[[a.]\x5b/p /[a[:x]\x5b:]]/p /[x:a]\x5b/p /[[:]\x5b/p /[[.\x41.]-\x40]/p
            /[[..]\x41-\x40.]]/p /[[...]\x41-\x40]/p /[[===]\x41-\x40]/p /[[.=]\x41-\x40.]]/p /a\x5b/p /[a]\x5c/p
            /[[.a]\x41-\x40.]]/p /[^]\x41-\x40]/p /[^a]\x5b/p
            /[[...]]\x5b/p /[[===]]\x5b/p /[[=a=]]\x5b/p /\t\t[[.a.]]\x5b/p /\x41[[.a.]]\x5b/p /[[.a.]]\x5b/p
            /\t[[...]]\x5b/p /[[.a.][.b.]]\x5b/p /\t[[...]b]\x5b/p
            /\1/p /a**/p
        "##,
    },
    Group {
        options: &["--posix", "-E"],
        locale: "C",
        reached: r##"
            /)/p
            /\<*/p /\|*/p /a+*/p
        "##,
        unreached: r##"
            /a|*/p /(/p
        "##,
    },
    Group {
        options: &[],
        locale: "C.UTF-8",
        reached: r##"
            s⟨a9c3a9a9⟩b⟨a9⟩w␣out s⟨ff⟩a⟨ff⟩b⟨ff⟩w␣out y/é/a/ y/€/a/ y/😀/a/ y/⟨f888808080⟩/a/ y/⟨e08080⟩/abc/ y/ࠀ/a/
            y/⟨eda080⟩/abc/ y/퟿/a/ y/⟨f0808080⟩/abcd/ y/𐀀/a/ y/⟨c1bf⟩/ab/ y/⟨c280⟩/a/ y/⟨c3⟩/a/ y/⟨c3c3⟩/ab/ y/\é/a/
            /[é]/p
            /[aaé]/p /[é-]/p /[éa-z]/p /é\{2\}/p /[aaaé]*/p /[aa⟨c3⟩]/p /[⟨c3a9c3⟩]/p /[aab€]/p
            y/⟨fc8480808080⟩/a/ y/⟨fdbfbfbfbfbf⟩/a/ y/⟨febf⟩/ab/ s⟨82e282ac82⟩b⟨82⟩w␣out s⟨ace282acac⟩b⟨ac⟩w␣out
            s⟨82e282⟩b⟨82⟩c⟨82⟩w␣out s⟨ace2ac⟩b⟨ac⟩c⟨ac⟩w␣out s⟨acc3acac⟩b⟨ac⟩w␣out s⟨acacac⟩w␣out s⟨ac⟩a⟨acac⟩w␣out
            s⟨ace28282ac⟩b⟨ac⟩w␣out s⟨ace282⟩a⟨ac⟩b⟨ac⟩w␣out s⟨a0eda080a0⟩b⟨a0⟩w␣out s⟨ffc3ff⟩b⟨ff⟩w␣out
            s⟨ffe282ff⟩b⟨ff⟩w␣out s⟨80f090808080⟩b⟨80⟩w␣out s⟨80f0908080⟩b⟨80⟩c⟨80⟩w␣out \⟨ace282acac⟩p⏎w␣out
        "##,
        unreached: r##"
            séaébéw␣out s⟨e2⟩a⟨e2⟩b⟨e2⟩w␣out y/é/ab/ y/⟨f888808080⟩/abcde/ y/⟨e08080⟩/a/ /[a-é]/p /[é-ê]/p
            /[aaé-z]/p /[aa⟨ff⟩-a]/p
            y/⟨fc8080808080⟩/a/ s⟨82e282⟩b⟨82⟩w␣out s⟨ace2ac⟩b⟨ac⟩w␣out s⟨acc3c3acac⟩b⟨ac⟩w␣out
            s⟨a0eda080a0⟩b⟨a0⟩c⟨a0⟩w␣out s⟨80e0808080⟩b⟨80⟩w␣out s⟨80f0908080⟩b⟨80⟩w␣out
        "##,
    },
];

/// Scripts that fail at the first line whatever it holds.
pub(crate) const FAIL_AT_ONCE: &str = "
    //p s//x/ L p⏎L {L} //!p //p⏎/a/p s//x/⏎/a/p {//p} {p}⏎L //d a␣x⏎L y/a/b/⏎L h⏎L #x⏎L L1
";

/// Scripts that get past the first line of one input at least.
pub(crate) const GO_ON: &str = "
    d⏎L D⏎L n⏎L N⏎L b⏎L T⏎L q⏎L Q⏎L c␣x⏎L {p} !L 1!L /a/L /a/p⏎//p s/a/b/⏎//p {d}⏎L 1{d}⏎L /a/d⏎L
    /a/,//p 1,//p !s//x/ d⏎//p d⏎s//x/ q⏎//p
";

/// A script and the commands that `sh -c` got.
pub(crate) const COMMANDS: &str = r"
    e␣echo␣\a\f\t\v\r|               => echo␣⟨070c090b0d⟩|
    e␣echo␣a\nb                      => echo␣a⏎b
    e␣echo␣\d065\o101\x41            => echo␣AAA
    e␣echo␣\d65\o71\x4               => echo␣A9⟨04⟩
    e␣echo␣\d300\o477\xff1           => echo␣,?⟨ff⟩1
    e␣echo␣\d1234\o1234              => echo␣{4S4
    e␣echo␣\dg\og\xg                 => echo␣dgogxg
    e␣echo␣\cA\cb\c[\c1.             => echo␣⟨01021b⟩q.
    e␣echo␣\c\\d                     => echo␣⟨1c⟩d
    e␣echo␣\c\d                      =>
    e␣echo␣\c\\                      => echo␣⟨1c⟩
    e␣echo␣\c                        => echo␣
    e␣echo␣\x5c\x26\d092\d038        => echo␣\&\&
    e␣echo␣a\\b\&\q                  => echo␣a\b&q
    e␣echo␣\x41\\x41                 => echo␣A\x41
    e␣echo␣x\x5cn                    => echo␣x\n
    e␣\␣␣echo␣x                      => ␣␣echo␣x
    e␣\echo␣x                        => echo␣x
    e␣␣⟨09⟩echo␣x                    => echo␣x
    e␣\⏎echo␣x                       => echo␣x
    e␣\⏎␣␣echo␣x                     => ␣␣echo␣x
    e␣echo␣a\⏎b                      => echo␣a⏎b
    e␣echo␣a\\⏎e␣echo␣b              => echo␣a\ echo␣b
    e␣\\necho                        => ⏎echo
    e␣echo␣a\\                       => echo␣a\
    e␣echo␣a\¶b                      => echo␣a⏎b
    e\¶echo␣b                        => echo␣b
    e␣echo␣a\¶b\¶c                   => echo␣a⏎b⏎c
    e␣echo␣\x4\¶1                    => echo␣⟨04⟩⏎1
    e␣echo␣a\\¶p                     => echo␣a\
";

/// Words => what was opened for writing, renamed or replaced | what was opened for reading, in a folder with files `f`,
/// `s` (`w out`), `-` and `d/g`, a directory `d`, and [`LINKS`]; the folder itself is `/t`.
pub(crate) const RUNS: &str = r"
    -i p f                                   => f | f
    -i p f d/g                               => d/g f | d/g f
    -i.b p f                                 => f f.b | f
    -i*.b p f                                => f f.b | f
    -i*_* p f                                => f f_f | f
    -ino/* p f                               => | f
    -id/* p f                                => d/f f | f
    -i*/x p f                                => | f
    -id/../* p f                             => d/../f f | f
    -i* p f                                  => f | f
    -i p d                                   => | d
    -i p /dev/null                           => | /dev/null
    -i p nope                                => | nope
    -i p l                                   => l | l
    -i p m                                   => m | m
    -i p n                                   => | n
    -i p r                                   => | r
    -i p z                                   => z | z
    -i p d/k                                 => d/k | d/k
    -i.b p l                                 => l l.b | l
    --follow-symlinks -i p l                 => f | l
    --follow-symlinks -i.b p l               => f f.b | l
    --follow-symlinks -i p m                 => f | m
    --follow-symlinks -i p d/k               => d/g | d/k
    --follow-symlinks -i.b p d/k             => d/g d/g.b | d/k
    --follow-symlinks -i p d/up              => d/../f | d/up
    --follow-symlinks -i.b p z               => /t/f /t/f.b | z
    --follow-symlinks -i p q                 => d/g | q
    --follow-symlinks -i p n                 => |
    --follow-symlinks -i p r                 => | r
    -i p -                                   => - | -
    -i p                                     => |
    -i p f --posix                           => f | f
    p f d                                    => | d f
    p -                                      => |
    w␣d/x                                    => d/x |
    w␣d                                      => |
    w␣d⏎w␣out                                => |
    w␣no/x                                   => |
    w␣f/x                                    => |
    w␣/dev/null/x                            => |
    w␣l                                      => l |
    w␣d/k                                    => d/k |
    w␣/nonexist/x                            => |
    w␣n                                      => n |
    r␣f                                      => | f
    R␣f                                      => | f
    R␣nope                                   => | nope
    -f s f                                   => out | f s
    -f nope f                                => | nope
    -f d f                                   => | d f
    -f d -e w␣out f                          => out | d f
    -f nope -e w␣out f                       => | nope
    -e w␣out -f nope                         => out | nope
    -e w␣out --help                          => out |
    -e w␣out --version                       => out |
    -e w␣out --zork                          => out |
    -e w␣out -i                              => out |
    --sandbox w␣out                          => |
    -e w␣out --sandbox                       => out |
    w␣out --sandbox                          => |
    --posix w␣/dev/stdout                    => /dev/stdout |
    w␣/dev/stdout                            => |
    w␣/dev/stderr                            => |
    w␣/dev/stdin                             => |
    W␣/dev/stdout                            => |
    R␣/dev/stdin                             => |
    R␣/dev/stdout                            => |
    -ni p f                                  => f | f
    -in p f                                  => f fn | f
    -nie w␣out f                             => f fe out | f
    -s -i p f                                => f | f
    -Ei p f                                  => f | f
    --in-place p f                           => f | f
    --in-place=.b p f                        => f f.b | f
    --in p f                                 => f | f
    --i=.b p f                               => f f.b | f
    p -- -i f                                => | -i f
    -- p -i                                  => | -i
    p f -i                                   => f | f
    p f -e w␣out                             => out | f p
    --posix -i p f                           => f | f
    -l5i w␣out f                             => out | f
    -l 5i w␣out f                            => out | f
    -ne w␣out f                              => out | f
    -new␣out f                               => out | f
    -e w␣x -e w␣y f                          => x y | f
    --posix -e a␣x -e w␣out                  => |
    -e a␣x -e w␣out --posix                  => out |
    -E w␣out --help                          => |
    --help -e w␣out                          => |
    --version -e w␣out                       => |
    -V x -e w␣out                            => |
    -e                                       => |
    -ep -f                                   => |
    -ep -l                                   => |
    -ep --expression                         => |
    -ep --file                               => |
    -ep --line-length                        => |
    -n                                       => |
    - w␣out                                  => |
    -n --                                    => |
    -b w␣out f                               => out | f
    -s w␣out f                               => out | f
    -n w␣out f                               => out | f
    -r w␣out f                               => out | f
    -z w␣out f                               => out | f
    -u w␣out f                               => out | f
    -E w␣out f                               => out | f
    -l5 w␣out f                              => out | f
    -nE w␣out f                              => out | f
    -I w␣out f                               => |
    -h w␣out f                               => |
    -x w␣out f                               => |
    -lx w␣out f                              => out | f
    --binary w␣out f                         => out | f
    --regexp-extended w␣out f                => out | f
    --debug w␣out f                          => out | f
    --null-data w␣out f                      => out | f
    --zero-terminated w␣out f                => out | f
    --quiet w␣out f                          => out | f
    --silent w␣out f                         => out | f
    --posix w␣out f                          => out | f
    --separate w␣out f                       => out | f
    --unbuffered w␣out f                     => out | f
    --follow-symlinks w␣out f                => out | f
    --line-length=5 w␣out f                  => out | f
    --b w␣out f                              => out | f
    --r w␣out f                              => out | f
    --d w␣out f                              => out | f
    --n w␣out f                              => out | f
    --z w␣out f                              => out | f
    --q w␣out f                              => out | f
    --si w␣out f                             => out | f
    --p w␣out f                              => out | f
    --se w␣out f                             => out | f
    --u w␣out f                              => out | f
    --fo w␣out f                             => out | f
    --l=5 w␣out f                            => out | f
    --s w␣out f                              => |
    --f w␣out f                              => |
    --S w␣out f                              => |
    --so w␣out f                             => |
    --quiet=x w␣out f                        => |
    --posix=x w␣out f                        => |
    --null-datax w␣out f                     => |
    --h=x w␣out f                            => |
    -- w␣out f                               => out | f
    -e w␣out f                               => out | f
    --expression w␣out f                     => out | f
    --e w␣out f                              => out | f
    --expression=w␣out f                     => out | f
    --exp=w␣out f                            => out | f
    --file s f                               => out | f s
    --fi s f                                 => out | f s
    --file=s f                               => out | f s
    -E s/(a)/\1/w␣out f                      => out | f
    -r s/(a)/\1/w␣out f                      => out | f
    --regexp-extended s/(a)/\1/w␣out f       => out | f
    -E /(a)\1/w␣out f                        => out | f
    -r /(a)\1/w␣out f                        => out | f
    --regexp-extended /(a)\1/w␣out f         => out | f
    /(a)\1/w␣out f                           => |
    -e /(a)\1/w␣out -E f                     => |
    -E -- /(a)\1/w␣out f                     => out | f
    --sandbox -i p f                         => f | f
    -s --sandbox p f                         => | f
    --line-length 5 w␣out f                  => out | f
    --l 5 w␣out f                            => out | f
    -i -e w␣nope nope                        => nope | nope
    -i -e w␣n n                              => n | n
    -i w␣n nope                              => n nope | nope
    -i.b p f f.b                             => f f.b f.b.b | f f.b
    -i.b p f.b f                             => f f.b | f f.b
    -i.b p f f                               => f f.b | f
    -i p nope f                              => f | f nope
    -i p d f                                 => | d
    -i p /dev/null f                         => | /dev/null
    -i p f d/g nope                          => d/g f | d/g f nope
    --follow-symlinks -i p d/z               => /t/f | d/z
    -i p d/z                                 => d/z | d/z
    --follow-symlinks -i.b p m f.b           => f f.b f.b.b | f.b m
    -i w␣f f                                 => f | f
    -i w␣nope nope                           => nope | nope
    -i*/* p f                                => | f
    -ino/* p f d/g                           => | f
    -id/* p f d/f                            => d/f f | d/f f
    -f s -f s f                              => out | f s
    -i.b -f s f out                          => f f.b out out.b | f out s
    w␣f␣                                     => f␣ |
    w␣./f f                                  => ./f | f
    -i p ./f                                 => ./f | ./f
    -i p f/x                                 => | f/x
    -i p f/                                  => | f/
    -i p a                                   => | a
    --follow-symlinks -i p a                 => |
";

/// Links and their texts.
pub(crate) const LINKS: &str = "l=f m=l a=b b=a n=nope r=d z=/t/f q=d/k d/k=g d/up=../f d/z=/t/f";
