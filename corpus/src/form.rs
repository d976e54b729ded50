//! What does one line hold? The fields, words and rules of each check, as the table of `docs/spec/harness.md` section 4
//! lists them.
//!
//! What needs other lines (an id that is taken, the order, a twin) is the loader's.

use crate::case::*;
use crate::fields::*;
use crate::json::Json;
use crate::{Text, fixture};

/// A line that kept to its form.
pub(crate) struct Line {
    pub(crate) id: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) body: Body,
}

/// Names of files begin so where the file holds this check.
const NAMES: [(&str, Check); 5] = [
    ("sed", Check::Sed),
    ("regions-truth", Check::Regions),
    ("regions-parity", Check::Parity),
    ("public-reports", Check::Command),
    ("everyday", Check::Command),
];

const EFFECTS: [(&str, SedEffect); 4] = [
    ("executes", SedEffect::Executes),
    ("writes", SedEffect::Writes),
    ("error", SedEffect::Error),
    ("read_only", SedEffect::ReadOnly),
];

const TRUTHS: [(&str, FragmentTruth); 4] = [
    ("runs", FragmentTruth::Runs),
    ("text", FragmentTruth::Text),
    ("unreached", FragmentTruth::Unreached),
    ("syntax_error", FragmentTruth::SyntaxError),
];

const DIRECTIONS: [(&str, Direction); 6] = [
    ("bypass", Direction::Bypass),
    ("false_alarm", Direction::FalseAlarm),
    ("crash_or_hang", Direction::CrashOrHang),
    ("other", Direction::Other),
    ("harmless", Direction::Harmless),
    ("harmful", Direction::Harmful),
];

const SHELLS: [(&str, Shell); 4] = [
    ("bash", Shell::Bash),
    ("sh", Shell::Sh),
    ("dash", Shell::Dash),
    ("zsh", Shell::Zsh),
];

/// The check that the base name of a file stands for.
pub(crate) fn check_of_name(name: &str) -> Option<Check> {
    NAMES
        .iter()
        .find(|(start, _)| name.starts_with(start))
        .map(|(_, check)| *check)
}

/// Reads one line; `default` is the check that its file's name stands for.
pub(crate) fn line(line: &str, default: Option<Check>) -> Result<Line, String> {
    let value = Json::parse(line).map_err(|error| error.reason)?;
    read(value, default).map_err(Wrong::reason)
}

fn read(value: Json, default: Option<Check>) -> Read<Line> {
    let mut fields = match value {
        Json::Object(_) => Fields::of(value)?,
        other => return Err(format!("the line is {}, not an object", other.kind()).into()),
    };
    let check = fields.optional("check", word(Check::WORDS))?.or(default).ok_or_else(|| {
        let names = NAMES.map(|(start, _)| start).join(", ");
        format!("neither a field \"check\" nor the file name says the check; add the field, or begin the name with {names}")
    })?;
    let (id, origin) = match check {
        Check::Sed | Check::Regions => (Some(fields.required("id", name)?), None),
        Check::Parity => (None, None),
        Check::Command => (
            fields.optional("id", name)?,
            fields.optional("origin", name)?,
        ),
    };
    let body = match check {
        Check::Sed => Body::Sed(Box::new(sed(fields)?)),
        Check::Regions => Body::Regions(Box::new(regions(fields)?)),
        Check::Parity => Body::Parity(Box::new(parity(fields)?)),
        Check::Command => Body::Command(Box::new(command(fields)?)),
    };
    need(
        check != Check::Command || id.is_some() != origin.is_some(),
        || "a command has an \"id\" or an \"origin\"; give exactly one of them".to_owned(),
    )?;
    need(id.as_deref() != Some(""), || {
        "the id is empty; give this case its own".to_owned()
    })?;
    Ok(Line { id, origin, body })
}

fn sed(mut f: Fields) -> Read<SedCase> {
    let case = SedCase {
        argv: f.required("argv", list(text))?,
        files: f.required("files", texts_by_name)?,
        dirs: f.optional("dirs", list(text))?.unwrap_or_default(),
        links: f.optional("links", texts_by_name)?.unwrap_or_default(),
        stdin: f.optional("stdin", text)?.unwrap_or_default(),
        env: f.optional("env", texts_by_name)?.unwrap_or_default(),
        effect: f.required("effect", word(EFFECTS))?,
        reads: f.required("reads", list(text))?,
        writes: f.required("writes", list(text))?,
        executes: f.required("executes", boolean)?,
        exit: f.optional("exit", integer)?,
        sandbox_accepts: f.required("sandbox_accepts", boolean)?,
        shell: f.optional("shell", list(text))?,
        child_writes: f.optional("child_writes", list(text))?,
        may: f.optional("may", may)?,
        may_reads: f.optional("may_reads", list(text))?,
        worst: f.optional("worst", worst)?,
        why: f.required("why", label)?,
        tags: f.required("tags", list(label))?,
    };
    f.end()?;
    let argv0_is_sed = case.argv.first().is_some_and(|word| word.0 == b"sed");
    need(argv0_is_sed, || {
        "argv does not begin with \"sed\"; put it there".to_owned()
    })?;
    need(
        (case.effect == SedEffect::Executes) == case.executes,
        || "effect and executes disagree; measure again".to_owned(),
    )?;
    need(
        case.effect != SedEffect::Writes || !case.writes.is_empty(),
        || "effect is writes and nothing is written; measure again".to_owned(),
    )?;
    let may_write = matches!(case.effect, SedEffect::Executes | SedEffect::Writes);
    need(may_write || case.writes.is_empty(), || {
        "effect is weaker than writes and something is written; measure again".to_owned()
    })?;
    need(case.may.is_none() || case.worst.is_some(), || {
        "may stands without worst; add the input it was measured with".to_owned()
    })?;
    need(case.may_reads.is_none() || case.may.is_some(), || {
        "may_reads stands without may; add it".to_owned()
    })?;
    fixture::check(&case)?;
    Ok(case)
}

fn may(value: Json) -> Read<May> {
    let mut f = Fields::of(value)?;
    let may = May {
        writes: f.required("writes", boolean)?,
        executes: f.required("executes", boolean)?,
    };
    f.end()?;
    Ok(may)
}

fn worst(value: Json) -> Read<Worst> {
    let mut f = Fields::of(value)?;
    let worst = Worst {
        files: f.optional("files", texts_by_name)?.unwrap_or_default(),
        stdin: f.optional("stdin", text)?,
    };
    f.end()?;
    Ok(worst)
}

fn regions(mut f: Fields) -> Read<RegionsCase> {
    let case = RegionsCase {
        command: f.required("command", text)?,
        fragments: f.required("fragments", list(fragment))?,
        seed_says: f.optional("seed_says", list(word([("live", true), ("inert", false)])))?,
        kind: f.required("kind", label)?,
        reach: f.optional("reach", reach)?,
        tags: f.required("tags", list(label))?,
        why: f.required("why", label)?,
    };
    f.end()?;
    need(!case.fragments.is_empty(), || {
        "no fragment; mark one".to_owned()
    })?;
    each("fragments", &case.fragments, |fragment| {
        let held = span(&case.command, (fragment.start, fragment.end))?;
        need(held == fragment.text.0, || {
            let (said, held) = (fragment.text.to_string(), Text(held.to_vec()).to_string());
            let (said, held) = (quote(&said), quote(&held));
            format!("says {said} and the command holds {held} there; offsets count bytes")
        })
    })?;
    for (what, length) in [
        ("seed_says", case.seed_says.as_ref().map(Vec::len)),
        (
            "reach",
            case.reach.as_ref().map(|reach| reach.fragments.len()),
        ),
    ] {
        need(
            length.is_none_or(|length| length == case.fragments.len()),
            || format!("{what} has another length than fragments; give one entry for each"),
        )?;
    }
    if let Some(reach) = &case.reach {
        each("reach.fragments", &reach.fragments, |at| {
            span(&reach.command, *at).map(drop)
        })?;
    }
    Ok(case)
}

fn fragment(value: Json) -> Read<Fragment> {
    let mut f = Fields::of(value)?;
    let fragment = Fragment {
        start: f.required("start", offset)?,
        end: f.required("end", offset)?,
        text: f.required("text", text)?,
        truth: f.required("truth", word(TRUTHS))?,
    };
    f.end()?;
    Ok(fragment)
}

fn reach(value: Json) -> Read<Reach> {
    let mut f = Fields::of(value)?;
    let reach = Reach {
        command: f.required("command", text)?,
        fragments: f.required("fragments", list(offsets))?,
    };
    f.end()?;
    Ok(reach)
}

fn parity(mut f: Fields) -> Read<ParityCase> {
    let case = ParityCase {
        command: f.required("command", text)?,
        regions: f.required("regions", list(offsets))?,
        tag: f.optional("tag", label)?,
    };
    f.end()?;
    each("regions", &case.regions, |at| {
        span(&case.command, *at).map(drop)
    })?;
    need(case.regions.is_sorted(), || {
        "the regions are not sorted by start, then end; sort them".to_owned()
    })?;
    Ok(case)
}

fn command(mut f: Fields) -> Read<CommandCase> {
    let case = CommandCase {
        command: f.required("command", text)?,
        direction: f.required("direction", word(DIRECTIONS))?,
        truth: f.required("truth", truth)?,
        setup: f.optional("setup", text)?,
        stdin: f.optional("stdin", text)?.unwrap_or_default(),
        shell: f.optional("shell", word(SHELLS))?.unwrap_or_default(),
        needs_tty: f.optional("needs_tty", boolean)?.unwrap_or_default(),
        declared: f.optional("declared", boolean)?.unwrap_or_default(),
        kind: f.optional("kind", label)?,
        mechanism: f.optional("mechanism", label)?,
        family: f.optional("family", label)?,
        twin: f.optional("twin", name)?,
        what_guard_did: f.optional("what_guard_did", label)?,
        checked: f.optional("checked", boolean)?.unwrap_or_default(),
        why: f.optional("why", label)?,
        notes: f.optional("notes", label)?,
        tags: f.optional("tags", list(label))?.unwrap_or_default(),
    };
    f.end()?;
    Ok(case)
}

fn truth(value: Json) -> Read<CommandTruth> {
    let mut f = Fields::of(value)?;
    let truth = CommandTruth {
        executes: f.required("executes", list(text))?,
        writes: f.required("writes", boolean)?,
        reads: f.optional("reads", list(text))?,
        network: f.optional("network", boolean)?,
        destroys: f.optional("destroys", boolean)?,
    };
    f.end()?;
    let leaves_the_process = truth.writes || truth.network == Some(true);
    need(truth.destroys != Some(true) || leaves_the_process, || {
        "destroys without writes or network; measure again".to_owned()
    })?;
    Ok(truth)
}

fn offset(value: Json) -> Read<usize> {
    let number = integer(value)?;
    usize::try_from(number)
        .map_err(|_| format!("is {number}, out of range; offsets count bytes from 0").into())
}

/// `[start, end]`.
fn offsets(value: Json) -> Read<(usize, usize)> {
    match list(offset)(value)?[..] {
        [start, end] => Ok((start, end)),
        _ => Err("is not [start, end]; give two offsets".to_owned().into()),
    }
}

/// The bytes of the command at these offsets. Where the command is no UTF-8, every byte is a place to stand.
fn span(command: &Text, (start, end): (usize, usize)) -> Read<&[u8]> {
    let bytes = &command.0;
    need(start <= end && end <= bytes.len(), || {
        let length = bytes.len();
        format!(
            "is {start}..{end}, out of range of the command ({length} bytes); offsets count bytes"
        )
    })?;
    for at in [start, end] {
        need(
            command
                .as_str()
                .is_none_or(|text| text.is_char_boundary(at)),
            || format!("has the offset {at} inside a character; offsets count bytes"),
        )?;
    }
    Ok(&bytes[start..end])
}
