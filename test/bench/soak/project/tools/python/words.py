import time


def run(parameters, context):
    return {"words": len(parameters["text"].split())}


def slow(parameters, context):
    time.sleep(parameters["seconds"])
    return {"waited": parameters["seconds"]}


def failing(parameters, context):
    raise ValueError("It is there to fail.")


def hanging(parameters, context):
    time.sleep(300)
    return "late"
